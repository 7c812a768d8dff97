"""The study's own table: the items' table as it came, with answers in columns of their own."""
