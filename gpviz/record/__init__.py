"""What happened in a run: its history, its files, its bookmarks. No Qt."""
