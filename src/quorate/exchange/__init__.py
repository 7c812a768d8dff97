"""Files that other programs read and write: the study's own table, Label Studio, Hugging Face, judges' scores."""
