"""The mailbox of a development server as pages: letters with HTML, text, headers and working links."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from bgmail.devmail import Mailbox, Sink
from bgmail.factory import create_app
from bgmail.web import devmail_pages
from tests.fixtures.apps import OpenApp
from tests.notify.conftest import Clock, Post, settings_for
from tests.service.matchmaking import begin

HERE = "http://127.0.0.1:5000"


@pytest.fixture
def home(open_app: OpenApp, tmp_path: Path, sqlite_schema_url: str, clock: Clock) -> Iterator[Post]:
    """An app as `dev` makes it: its sink keeps letters in the folder of the instance."""
    sink = Sink.start(tmp_path / "instance" / "mail")
    settings = replace(settings_for(tmp_path, sqlite_schema_url, sink.port), base_url=HERE)
    post = Post(open_app(settings, clock=clock), clock, sink)
    yield post
    post.hang_up()
    post.store.close()
    sink.stop()


@pytest.fixture
def client(home: Post) -> FlaskClient:
    begin(home.store, home.clock.now, (5, 2))
    home.clock.pass_(minutes=11)
    home.deliver()
    return home.app.test_client()


def test_the_list_has_every_letter(client: FlaskClient) -> None:
    page = client.get("/dev/mail", base_url=HERE)
    assert page.status_code == 200
    assert "Your turn: 5-2 to play" in page.text
    assert "alice@play.example" in page.text
    assert 'href="/dev/mail/1"' in page.text


def test_a_letter_has_its_text_its_headers_and_a_frame_with_its_html(client: FlaskClient) -> None:
    page = client.get("/dev/mail/1", base_url=HERE)
    for part in ("+--13--14--15", "Message-ID", "auto-generated", 'src="/dev/mail/1/html"', "image/png"):
        assert part in page.text
    assert "frame-src 'self'" in page.headers["Content-Security-Policy"]
    assert re.search(r'<a href="http://127\.0\.0\.1:5000/r/[^"]+"', page.text)


def test_the_html_has_its_pictures_and_its_links_open_in_the_whole_window(client: FlaskClient) -> None:
    page = client.get("/dev/mail/1/html", base_url=HERE)
    assert 'src="data:image/png;base64,' in page.text
    assert "cid:" not in page.text
    assert '<base target="_top">' in page.text
    policy = page.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; img-src data:")
    assert "sandbox allow-popups" in policy


def test_a_link_of_a_letter_opens(client: FlaskClient) -> None:
    page = client.get("/dev/mail/1", base_url=HERE)
    found = re.search(r"http://127\.0\.0\.1:5000(/r/[\w.-]+)", page.text)
    assert found is not None
    assert client.get(found[1], base_url=HERE).status_code == 200


def test_the_source_is_there_byte_for_byte(client: FlaskClient, home: Post) -> None:
    page = client.get("/dev/mail/1/source", base_url=HERE)
    assert page.mimetype == "text/plain"
    mail = Mailbox(home.sink.mailbox.folder).read(1)
    assert mail is not None
    assert page.data == mail.raw


@pytest.mark.parametrize("path", ["/dev/mail/99", "/dev/mail/99/html", "/dev/mail/x", "/dev/mail/-1"])
def test_a_letter_that_is_not_there_is_a_404(client: FlaskClient, path: str) -> None:
    assert client.get(path, base_url=HERE).status_code == 404


@pytest.mark.parametrize("address", ["192.0.2.7", "10.0.0.1", ""])
def test_nobody_elsewhere_reads_the_mailbox(client: FlaskClient, address: str) -> None:
    for path in ("/dev/mail", "/dev/mail/1", "/dev/mail/1/html", "/dev/mail/1/source"):
        answer = client.get(path, base_url=HERE, environ_base={"REMOTE_ADDR": address})
        assert answer.status_code == 404


def test_a_page_elsewhere_that_names_this_machine_reads_nothing(client: FlaskClient) -> None:
    answer = client.get("/dev/mail", base_url="http://rebound.example:5000")
    assert answer.status_code in (400, 404)
    assert "alice" not in answer.text


def test_there_is_no_mailbox_in_production(tmp_path: Path, sqlite_schema_url: str) -> None:
    settings = replace(settings_for(tmp_path, sqlite_schema_url, 25), production=True)
    app = create_app(settings)
    assert not [rule.rule for rule in app.url_map.iter_rules() if rule.rule.startswith("/dev")]
    assert app.test_client().get("/dev/mail", base_url="https://club.example").status_code == 404
    with pytest.raises(RuntimeError, match="no place in production"):
        devmail_pages.register(app)
    app.extensions["bgmail"].store.close()


def test_scripts_in_a_letter_are_shown_and_do_not_run(client: FlaskClient, home: Post) -> None:
    poison = "<script>alert(1)</script>"
    letter = f"Subject: {poison}\r\nTo: a@x\r\nContent-Type: text/html\r\n\r\n{poison}"
    number = home.sink.mailbox.add("a@x", ["b@x"], letter.encode())
    page = client.get(f"/dev/mail/{number}", base_url=HERE)
    assert poison not in page.text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page.text
    framed = client.get(f"/dev/mail/{number}/html", base_url=HERE)
    assert "script-src" not in framed.headers["Content-Security-Policy"]
    assert "allow-scripts" not in framed.headers["Content-Security-Policy"]
