"""The WSGI entry point: `flask --app app ...`, `gunicorn app:app`, `granian --interface wsgi app:app`."""

from bgmail.factory import create_app

app = create_app()
