class StuckWatch: pass
