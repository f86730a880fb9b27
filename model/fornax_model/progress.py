"""Lines that say how far a long computation is."""

import time
from collections.abc import Callable

Progress = Callable[[str], None]


def progress_from_now() -> Progress:
    """Prints lines with the seconds since this call."""
    start = time.time()
    return lambda text: print(f"[{time.time() - start:4.0f} s] {text}", flush=True)
