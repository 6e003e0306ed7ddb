"""Our server as other tests start it."""

from __future__ import annotations

from tests.fixtures.servers import GRANIAN, StartServer, answers


def test_dev_gets_ready_ends_and_starts_again(start_server: StartServer) -> None:
    server = start_server("dev", "--port", "0", "--no-demo")
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
