"""What the Python drivers share: named checks, one line each, exit code 1 when one failed."""

import os
import sys
import traceback

BASE_URL, KEY = os.environ["BASE_URL"], os.environ["KEY"]
failures = 0


def check(name, work):
    global failures
    try:
        work()
        print(f"ok    {name}", flush=True)
    except Exception:
        failures += 1
        print(f"FAIL  {name}: {traceback.format_exc(limit=-2)}", flush=True)


def finish():
    sys.exit(1 if failures else 0)
