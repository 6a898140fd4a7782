"""The guide: its pages, found by words and shown beside the program."""
