"""Our server as other tests start it."""

from __future__ import annotations

from tests.fixtures.forks import COLD
from tests.fixtures.servers import DEV, GRANIAN, StartServer, answers


def test_dev_gets_ready_ends_and_starts_again(start_server: StartServer) -> None:
    server = start_server(command=[*COLD, *DEV, "--no-demo"], BGMAIL_INBOUND_DOMIAN="answers.example")
    assert server.log.count("BGMAIL_INBOUND_DOMIAN is no setting of bgmail") == 1
    assert server.log.count("Is BGMAIL_INBOUND_DOMAIN meant?") == 1
    first = server.process.pid
    assert server.ports["base_url"] == server.url
    assert answers(server.port)
    server.kill()
    assert not answers(server.port)
    server.again()
    assert server.ports["pid"] != first


def test_a_granian_worker_answers(start_server: StartServer) -> None:
    server = start_server(command=GRANIAN)
    assert answers(server.port)
    server.end()
    assert not answers(server.port)
