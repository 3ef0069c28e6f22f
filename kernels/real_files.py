"""The files and links among the paths of its input, where they really are: a package may name in /bin what was moved to /usr/bin."""

import os
import sys

found = set()
for line in sys.stdin:
    folder, name = os.path.split(line.rstrip("\n"))
    path = os.path.join(os.path.realpath(folder), name)
    if os.path.islink(path) or os.path.isfile(path):
        found.add(path.lstrip("/"))
print("\n".join(sorted(found)))
