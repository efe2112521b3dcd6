"""`veridic mcp` with the MCP client of PyPI's package `mcp`, which checks every answer against the tool's output schema."""

import subprocess

from common import add_program, environment, program

SESSION = '''
import asyncio, json, sys
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

SOURCES = [
    {"id": "council", "text": "The pool closes in March. About 600 people use it every week."},
    {"id": "report", "text": "Repairs would cost 4.2 million euros, the report said."},
]
TEXT = "The pool closes in March. Repairs would cost 2.4 million euros."


async def main():
    server = StdioServerParameters(command=sys.argv[1], args=["mcp", "--quiet"])
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        hello = await session.initialize()
        tools = (await session.list_tools()).tools
        assert [tool.name for tool in tools] == ["check", "extract_claims"], tools
        result = await session.call_tool("check", {"text": TEXT, "sources": SOURCES})
        answer = field(result, "structured_content", "structuredContent")
        assert answer["verdict"] == "contradicted" and len(answer["claims"]) == 2, answer
        assert answer["claims"][0]["evidence"]["sources"][0]["id"] == "council", answer
        wrong = answer["claims"][1]
        assert wrong["instead"]["document"] == "4.2 million euros", wrong
        place = wrong["instead"]["sources"][0]
        start, end = place["spans"][0]
        assert (place["id"], SOURCES[1]["text"][start:end]) == ("report", "4.2 million euros"), wrong
        assert json.loads(result.content[0].text) == answer
        claims = field(await session.call_tool("extract_claims", {"text": TEXT}), "structured_content", "structuredContent")
        assert [TEXT[slice(*claim["spans"][0])] for claim in claims["claims"]] == TEXT.replace(". ", ".|").split("|")
        bad = [
            {"text": "", "sources": SOURCES},
            {"text": [TEXT], "sources": SOURCES},
            {"text": TEXT, "sources": "The pool closes."},
            {"text": TEXT, "sources": []},
            {"text": TEXT, "sources": [{"id": "a", "text": 7}]},
            {"text": "cat " * 60000, "sources": SOURCES},
            {"text": TEXT},
        ]
        for arguments in bad:
            refused = await session.call_tool("check", arguments)
            assert field(refused, "is_error", "isError") is True, refused
            print("refused:", refused.content[0].text[:110])
        together = [session.call_tool("check", {"text": f"The pool closes in {month}.", "sources": SOURCES})
                    for month in ("March", "April", "May", "June", "July", "August")]
        verdicts = [field(result, "structured_content", "structuredContent")["verdict"] for result in await asyncio.gather(*together)]
        assert verdicts[0] == "supported" and len(verdicts) == 6, verdicts
        name = field(hello, "server_info", "serverInfo")
        print(f"{name.name} {name.version}: 2 tools, {len(bad)} bad calls refused, 6 calls together: {verdicts}")


def field(of, *names):
    """A field by the name that this version of the package has for it."""
    return next(getattr(of, name) for name in names if hasattr(of, name))


asyncio.run(main())
'''


def add(parser):
    add_program(parser)


def main(arguments):
    with environment("mcp", "jsonschema") as python:
        subprocess.run([str(python), "-c", SESSION, program(arguments)], check=True)
