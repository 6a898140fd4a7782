"""Dialogs: messages, files, all keys, the tour of the first start, and what is shown after a crash."""
