"""What a report shows, before it has a form: tables, figures, and numbers as a reader sees them."""
