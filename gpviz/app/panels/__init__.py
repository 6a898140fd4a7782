"""What stands beside the stage: settings, transport, words and lists."""
