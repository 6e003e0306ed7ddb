"""The WSGI entry point: `flask --app app ...`, `gunicorn app:app`, `granian --interface wsgi app:app`."""

import gc
import os
import sys

from sqlalchemy.exc import DatabaseError

from bgmail.factory import create_app
from bgmail.settings import BadSetting
from bgmail.store.schema import OldSchema

try:
    # A command looks at the schema itself: there is one that upgrades it.
    app = create_app(any_schema=os.environ.get("FLASK_RUN_FROM_CLI") == "true" and "run" not in sys.argv)
except (BadSetting, OldSchema, OSError) as error:
    sys.exit(f"bgmail can't start. {error}")
except DatabaseError as error:
    sys.exit(f"bgmail can't start. The database can't be used: {error.orig}")

for sentence in app.extensions["bgmail"].settings.unknown:
    sys.stderr.write(f"{sentence}\n")

# What a server needs for as long as it runs is not looked through again: that took a tenth of a second each time.
gc.freeze()
