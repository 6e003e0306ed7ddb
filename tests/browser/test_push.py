"""Push in a real browser: leave is asked after a click, the worker shows what comes, and a click opens the match."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from bgmail.notify.push.message import Message
from bgmail.service import push
from bgmail.service.push import Subscriber
from bgmail.service.views import MatchView
from tests.browser.clubroom import Club, Side
from tests.browser.objections import objections
from tests.browser.waiting import until
from tests.fixtures.browsers import FLAGS
from tests.notify.push.browser import FakeBrowser

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, Playwright, Worker

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def browser(playwright: Playwright, chromium_path: Path) -> Iterator[Browser]:
    """The whole Chromium: the one without windows shows no notices."""
    running = playwright.chromium.launch(executable_path=chromium_path, args=FLAGS)
    yield running
    running.close()


# Chromium's own push service is on the Internet: a test's browser subscribes to one that there isn't. Its user's answer
# is `given.leave`, once it is asked for.
PUSH_SERVICE = """(given) => {
  window.asked = 0;
  const permission = () => given.leave === 'denied' ? 'denied' : localStorage.getItem('leave') || 'default';
  Object.defineProperty(Notification, 'permission', {get: permission});
  Notification.requestPermission = async () => {
    window.asked++;
    if (given.leave) localStorage.setItem('leave', given.leave);
    return permission();
  };
  let subscribed = null;
  const subscription = {
    endpoint: given.endpoint,
    toJSON: () => ({endpoint: given.endpoint, keys: {p256dh: given.p256dh, auth: given.auth}}),
    unsubscribe: async () => { localStorage.removeItem('subscribed'); return true; },
  };
  PushManager.prototype.getSubscription = async () => localStorage.getItem('subscribed') ? subscription : null;
  PushManager.prototype.subscribe = async (options) => {
    if (given.broken) throw new DOMException('no push service', 'AbortError');
    if (!options.userVisibleOnly || options.applicationServerKey.length !== 65) throw new TypeError('bad options');
    localStorage.setItem('subscribed', 'yes');
    return subscription;
  };
}"""


class Alice:
    """Her browser, on the page where it is switched on. `given` is what her browser and she herself answer."""

    def __init__(self, club: Club, view: MatchView, before: str = "", **given: object) -> None:
        self.club, self.view, self.browser = club, view, FakeBrowser()
        self.context: BrowserContext = club.context(Side.WHITE, view)
        self.context.grant_permissions(["notifications"], origin=club.url)
        answers = {"leave": "granted", **asdict(self.browser.wish), **given}
        self.context.add_init_script(f"({PUSH_SERVICE})({json.dumps(answers)}); {before}")
        self.page: Page = self.context.new_page()
        self.page.goto(f"{club.url}/settings/push")

    @property
    def told(self) -> list[Subscriber]:
        """What the server knows of her browsers."""
        white = self.view.white
        assert white
        return push.browsers(self.club.world.store, white.id, self.club.now())

    def switch_on(self) -> None:
        self.page.get_by_role("button", name="Tell this browser").click()
        expect(self.page.get_by_text("It is told. Signing out here ends it.")).to_be_visible()

    @property
    def worker(self) -> Worker:
        return until(self.page, lambda: self.context.service_workers)[0]

    @cached_property
    def _session(self) -> tuple[CDPSession, str]:
        """The browser's own view of its workers, and by which name it knows ours."""
        session, found = self.context.new_cdp_session(self.page), list[str]()
        session.on(
            "ServiceWorker.workerRegistrationUpdated",
            lambda event: found.extend(one["registrationId"] for one in event["registrations"]),
        )
        session.send("ServiceWorker.enable")
        self.page.wait_for_function("navigator.serviceWorker.ready.then(() => true)")
        until(self.page, lambda: found)
        return session, found[0]

    def push(self, data: str) -> None:
        """What the browser does when its push service brings a message; comes back when its notice is shown."""
        session, registration = self._session
        self.worker.evaluate(NEXT_SHOWN)
        brought = {"origin": self.club.url, "registrationId": registration, "data": data}
        session.send("ServiceWorker.deliverPushMessage", brought)
        self.worker.evaluate("self.shown")

    def shown(self) -> list[dict[str, Any]]:
        """The notices that the browser shows."""
        got = """async () => (await self.registration.getNotifications()).map((one) => (
          {title: one.title, body: one.body, tag: one.tag, lang: one.lang, link: one.data.link}))"""
        found: list[dict[str, Any]] = self.worker.evaluate(got)
        return found

    def click_notice(self) -> list[str]:
        """Clicks the first notice; what the worker does then, in words of its own."""
        return list(self.worker.evaluate(CLICK))


# Chromium forgets a notice for good when it is asked for the notices just while it brings it up: one asks afterwards.
NEXT_SHOWN = """() => {
  const show = ServiceWorkerRegistration.prototype.showNotification;
  self.shown = new Promise((resolve, reject) => {
    self.registration.showNotification = (...told) => {
      const showing = show.apply(self.registration, told);
      showing.then(resolve, reject);
      return showing;
    };
  });
}"""

CLICK = """async () => {
  const done = [];
  const openWindow = async (url) => { done.push(`opens ${url}`); };
  Object.defineProperty(self.clients, 'openWindow', {configurable: true, value: openWindow});
  WindowClient.prototype.focus = async function () { done.push(`focuses ${this.url}`); return this; };
  const [shown] = await self.registration.getNotifications();
  const event = new NotificationEvent('notificationclick', {notification: shown});
  const waits = [];
  event.waitUntil = (promise) => waits.push(promise);
  self.dispatchEvent(event);
  await Promise.all(waits);
  return done;
}"""


@pytest.fixture
def view(club: Club) -> MatchView:
    return club.begin((3, 1), (6, 5))


def message(view: MatchView, title: str = "Match with bob: Play 3-1", link: str = "") -> str:
    """A message as the worker gets it from the browser, opened."""
    link = link or f"/match/{view.id}"
    return Message(title, "Until Fri 10:00", link, view.id, "en").packed().decode()


def test_leave_is_asked_for_after_a_click_and_the_browser_is_told(club: Club, view: MatchView) -> None:
    alice = Alice(club, view)
    button = alice.page.get_by_role("button", name="Tell this browser")
    expect(button).to_be_visible()
    assert alice.page.evaluate("window.asked") == 0
    assert alice.told == []
    alice.switch_on()
    assert [one.endpoint for one in alice.told] == [alice.browser.endpoint]
    expect(alice.page.get_by_role("listitem").filter(has_text="this one")).to_contain_text(
        "nothing to tell yet"
    )
    assert objections(alice.page) == []
    alice.page.get_by_role("button", name="Remove").click()
    expect(button).to_be_visible()
    assert alice.told == []


def test_what_is_pushed_is_shown_and_a_newer_one_takes_its_place(club: Club, view: MatchView) -> None:
    alice = Alice(club, view)
    alice.switch_on()
    alice.push(message(view))
    expected = {
        "title": "Match with bob: Play 3-1",
        "body": "Until Fri 10:00",
        "tag": view.id,
        "lang": "en",
        "link": f"/match/{view.id}",
    }
    assert alice.shown() == [expected]
    alice.push(message(view, "Match with bob: Take or pass"))
    alice.push(json.dumps({"title": "Another match", "tag": "another", "link": "/match/another"}))
    assert sorted(one["title"] for one in alice.shown()) == ["Another match", "Match with bob: Take or pass"]


def test_a_click_opens_the_match_or_goes_to_where_it_is_open(club: Club, view: MatchView) -> None:
    alice = Alice(club, view)
    alice.switch_on()
    alice.push(message(view))
    assert alice.click_notice() == [f"opens {club.url}/match/{view.id}"]
    other = alice.context.new_page()
    other.goto(f"{club.url}/match/{view.id}?order=reply")
    alice.push(message(view))
    assert alice.click_notice() == [f"focuses {club.url}/match/{view.id}?order=reply"]


def test_a_link_never_leads_to_another_site(club: Club, view: MatchView) -> None:
    alice = Alice(club, view)
    alice.switch_on()
    alice.push(message(view, link="https://elsewhere.example/match/1"))
    assert alice.click_notice() == [f"opens {club.url}/"]


def test_what_cannot_be_read_is_shown_as_something(club: Club, view: MatchView) -> None:
    alice = Alice(club, view)
    alice.switch_on()
    alice.push("no json")
    assert [(one["title"], one["link"]) for one in alice.shown()] == [("bgmail", "/")]


def test_a_browser_that_moves_says_so(club: Club, view: MatchView) -> None:
    alice, new = Alice(club, view), FakeBrowser(path="moved")
    alice.switch_on()
    moved = """async ([before, after]) => {
      const event = new Event('pushsubscriptionchange'), waits = [];
      event.oldSubscription = {endpoint: before};
      event.newSubscription = {endpoint: after.endpoint, toJSON: () => ({keys: after})};
      event.waitUntil = (promise) => waits.push(promise);
      self.dispatchEvent(event);
      await Promise.all(waits);
    }"""
    alice.worker.evaluate(moved, [alice.browser.endpoint, asdict(new.wish)])
    assert [(one.endpoint, one.keys.secret) for one in alice.told] == [(new.endpoint, new.auth)]


def test_a_no_is_taken_for_a_no(club: Club, view: MatchView) -> None:
    alice = Alice(club, view, leave="denied")
    expect(
        alice.page.get_by_text("You have told this browser not to show notices of bgmail.")
    ).to_be_visible()
    expect(alice.page.get_by_role("button", name="Tell this browser")).to_be_hidden()


def test_a_question_that_is_closed_changes_nothing(club: Club, view: MatchView) -> None:
    alice = Alice(club, view, leave="")
    alice.page.get_by_role("button", name="Tell this browser").click()
    alice.page.wait_for_function("window.asked === 1")
    expect(alice.page.get_by_role("button", name="Tell this browser")).to_be_visible()
    assert alice.told == []


def test_without_a_push_service_it_says_so(club: Club, view: MatchView) -> None:
    alice = Alice(club, view, broken=True)
    alice.page.get_by_role("button", name="Tell this browser").click()
    expect(alice.page.get_by_role("alert")).to_contain_text("could not be reached. Nothing was switched on.")
    expect(alice.page.get_by_role("button", name="Tell this browser")).to_be_visible()
    assert alice.told == []


def test_what_the_server_refuses_is_said(club: Club, view: MatchView) -> None:
    alice = Alice(club, view, endpoint="https://127.0.0.1/to/one")
    alice.page.get_by_role("button", name="Tell this browser").click()
    expect(alice.page.get_by_role("alert")).to_have_text(
        "Your browser names a push service that this server doesn't call."
    )
    assert alice.page.evaluate("localStorage.getItem('subscribed')") is None


@pytest.mark.parametrize(
    ("lacks", "sentence"),
    [
        ("delete window.PushManager", "This browser can’t be told: it has no push notices."),
        ("delete window.PushManager; navigator.standalone = false", "put bgmail on your home screen"),
    ],
)
def test_a_browser_that_cannot_be_told_is_not_promised_it(
    club: Club, view: MatchView, lacks: str, sentence: str
) -> None:
    alice = Alice(club, view, before=lacks)
    expect(alice.page.get_by_text(sentence)).to_be_visible()
    expect(alice.page.get_by_role("button", name="Tell this browser")).to_be_hidden()


def test_without_scripts_it_says_what_it_needs(club: Club, view: MatchView) -> None:
    page = club.context(Side.WHITE, view, java_script_enabled=False).new_page()
    page.goto(f"{club.url}/settings/push")
    expect(page.get_by_text("A browser can be told only with scripts switched on")).to_be_visible()
    expect(page.get_by_role("button", name="Tell this browser")).to_be_hidden()
