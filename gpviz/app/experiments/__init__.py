"""The experiments window: plans made and run, distributions that grow, and the odd run opened in the stepper."""
