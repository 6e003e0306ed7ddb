"""Which addresses may be sent to: https ones of public hosts."""

from __future__ import annotations

from ipaddress import ip_address

import pytest

from bgmail.service.destinations import BadDestination, destination, is_public

INSIDE = [
    "https://[::1]/",
    "https://[::ffff:169.254.169.254]/",
    "https://169.254.169.254/",
    "https://10.0.0.5/",
    "https://100.64.0.1/",
    "https://0.0.0.0/",
    "https://2130706433/",
    "https://0x7f.1/",
    "https://0x7f000001/",
    "https://017700000001/",
    "https://127.1/",
    "https://127.0.0.1./",
    "https://localhost./",
    "https://localhost/",
    "https://LOCALHOST:8443/",
    "https://me.localhost/",
    "https://printer.local/",
    "https://metadata.google.internal/",
    "https://intranet/",
    "https://[64:ff9b::7f00:1]/",
    "https://[2002:7f00:1::]/",
    "https://[2001:0:53aa:64c:0:0:80ff:fffe]/",
    "https://[fe80::1]/",
    "https://[fd00::1]/",
    "https://[::127.0.0.1]/",
    "https://\u0967\u0968\u096d.0.0.1/",
    "https://１２７.0.0.1/",
    "https://127。0。0。1/",
]


@pytest.mark.parametrize("url", INSIDE)
def test_an_address_inside_a_network_is_refused_in_every_spelling(url: str) -> None:
    with pytest.raises(BadDestination) as refused:
        destination(url)
    assert refused.value.code in ("address_inside", "address_malformed")


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("http://127.0.0.1:5000", "address_https"),
        ("http://hooks.example.org/", "address_https"),
        ("ftp://example.org", "address_https"),
        ("file:///etc/passwd", "address_https"),
        ("hooks.example.org", "address_https"),
        ("", "address_https"),
        ("https://user:pw@example.org/", "address_password"),
        ("https://@example.org/", "address_password"),
        ("https:///path", "address_malformed"),
        ("https://exa mple.org/", "address_malformed"),
        ("https://example.org/\nHost: other", "address_malformed"),
        ("https://example.org\\@127.0.0.1/", "address_malformed"),
        ("https://[::1", "address_malformed"),
        ("https://[fe80::1%25eth0]/", "address_malformed"),
        ("https://example.org:many/", "address_malformed"),
        ("https://example.org:99999/", "address_malformed"),
        ("https://example..org/", "address_malformed"),
        ("https://exam_ple.org/", "address_malformed"),
        ("https://example.org:22/", "address_port"),
        ("https://example.org:0/", "address_port"),
        ("https://example.org:80/", "address_port"),
        ("https://example.org/" + "a" * 1024, "address_long"),
    ],
)
def test_what_is_no_https_address_of_a_public_host_is_refused_with_its_reason(url: str, code: str) -> None:
    with pytest.raises(BadDestination) as refused:
        destination(url)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("url", "authority", "target"),
    [
        ("https://Hooks.Example.org", "hooks.example.org", "/"),
        ("https://hooks.example.org./a?b=c#d", "hooks.example.org", "/a?b=c"),
        ("https://hooks.example.org:443/a", "hooks.example.org", "/a"),
        ("https://hooks.example.org:8443/a%20b", "hooks.example.org:8443", "/a%20b"),
        ("https://bücher.example/größe?q=ü", "xn--bcher-kva.example", "/gr%C3%B6%C3%9Fe?q=%C3%BC"),
        ("https://93.184.216.34/x", "93.184.216.34", "/x"),
        ("https://[2606:2800:220:1::1]:8443/", "[2606:2800:220:1::1]:8443", "/"),
    ],
)
def test_an_address_is_read_into_host_port_and_target(url: str, authority: str, target: str) -> None:
    found = destination(url)
    assert (found.authority, found.target) == (authority, target)


@pytest.mark.parametrize(
    "address",
    [
        *(
            "127.0.0.1",
            "10.1.2.3",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.1.1",
            "169.254.169.254",
            "0.1.2.3",
        ),
        *("100.64.0.1", "192.0.0.8", "192.0.2.1", "192.88.99.1", "198.18.0.1", "198.51.100.1", "203.0.113.1"),
        *("224.0.0.1", "239.1.1.1", "240.0.0.1", "255.255.255.255", "192.175.48.1", "192.31.196.1"),
        *(
            "::",
            "::1",
            "::ffff:8.8.8.8",
            "::8.8.8.8",
            "64:ff9b::808:808",
            "64:ff9b:1::1",
            "100::1",
            "fc00::1",
        ),
        *(
            "fe80::1",
            "fec0::1",
            "ff02::1",
            "2001::1",
            "2001:10::1",
            "2001:db8::1",
            "2002:808:808::1",
            "3fff::1",
        ),
        *("5f00::1", "4000::1", "2600::5efe:7f00:1", "2600::200:5efe:a00:1", "fe80::1%eth0"),
    ],
)
def test_no_special_address_is_public(address: str) -> None:
    assert not is_public(ip_address(address))


@pytest.mark.parametrize("address", ["8.8.8.8", "93.184.216.34", "1.1.1.1", "172.32.0.1", "2606:4700::1111"])
def test_addresses_of_the_open_internet_are_public(address: str) -> None:
    assert is_public(ip_address(address))
