raise RuntimeError("no good")
