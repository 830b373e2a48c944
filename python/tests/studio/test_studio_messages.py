"""The studio refuses malformed messages and goes on."""

import asyncio
import json
from collections.abc import Callable

import aiohttp
import pytest
from studio.support import PATIENCE, Server

START = {"type": "start", "source": "camera", "loopback": True}
SET = {"type": "set", "name": "matte-grow"}
DEEP = "[" * 100_000
REFUSED = [
    "",
    "nonsense",
    "null",
    "7",
    "[]",
    "{}",
    DEEP,
    '{"type": ' + DEEP,
    json.dumps({"type": ["set"]}),
    json.dumps({"type": "unknown"}),
    json.dumps(SET),
    json.dumps(SET | {"value": 1e300}),
    json.dumps(SET | {"value": float("nan")}),
    json.dumps(SET | {"value": float("inf")}),
    json.dumps(SET | {"value": {}}),
    json.dumps(SET | {"value": "9" * 10_000}),
    '{"type": "set", "name": "threads", "value": ' + "9" * 10_000 + "}",
    json.dumps({"type": "set", "name": "model", "value": "\ud800"}),
    json.dumps({"type": "set", "name": {}, "value": 1}),
    json.dumps({"type": "background", "background": ["x"]}),
    json.dumps({"type": "background", "background": "x\0" * 9000}),
    json.dumps(START),
    json.dumps(START | {"source": []}),
    json.dumps(START | {"run": "1"}),
    json.dumps(START | {"run": 1 << 70}),
    json.dumps(START).replace("}", f', "run": {50_000 * "["}{50_000 * "]"}}}'),
]


async def answer(page: aiohttp.ClientWebSocketResponse, message: str) -> dict:
    await page.send_str(message)
    while True:
        reply = await page.receive_json(timeout=PATIENCE)
        if reply["type"] in ("refused", "value"):
            return reply


async def talk(server: Server) -> None:
    own = f"http://127.0.0.1:{server.port}"
    headers = {"Origin": own}
    async with aiohttp.ClientSession(headers=headers) as session:
        async with session.ws_connect(f"{own}/socket", protocols=["vbgfilter-studio"]) as page:
            for message in REFUSED:
                assert (await answer(page, message))["type"] == "refused", message[:80]
            reply = await answer(page, json.dumps(SET | {"value": 2}))
            assert (reply["type"], reply["value"]) == ("value", 2)
            # This message ends only its own connection.
            await page.send_str("x" * (300 << 10))
            while (await page.receive(timeout=PATIENCE)).type == aiohttp.WSMsgType.TEXT:
                pass


def test_refuses_malformed_messages(studio: Callable[..., Server]) -> None:
    server = studio()
    asyncio.run(talk(server))
    assert server.interrupt() == 0
    assert server.errors() == []
