# Runs inside the sandbox. Debian's python3-pip, python3-setuptools and python3-wheel are all it needs.
set -e
/usr/bin/python3 -m pip install --quiet --user --no-index --no-build-isolation --no-deps .
cd / # so that the installed package is imported, not the source beside this file
/usr/bin/python3 -m hello_step
