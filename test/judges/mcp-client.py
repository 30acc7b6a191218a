"""The Python client of the Model Context Protocol: lists, reads, calls and cancels, and prints what it saw as JSON.

Arguments: the address of a project, the mode ("legacy" or a revision), a statement, and one that runs for hours.
"""

import asyncio
import json
import sys

from mcp import Client


async def main() -> None:
    url, mode, statement, endless = sys.argv[1:]
    async with Client(url, mode=mode) as client:
        tools = (await client.list_tools()).tools
        resources = (await client.list_resources()).resources
        read = await client.read_resource(str(resources[0].uri))
        answer = await client.call_tool("query", {"sql": statement})
        cancelled = False
        try:
            await asyncio.wait_for(client.call_tool("query", {"sql": endless}), 3)
        except (TimeoutError, asyncio.TimeoutError):
            cancelled = True
        print(
            json.dumps(
                {
                    "tools": [tool.name for tool in tools],
                    "text": read.contents[0].text,
                    "structured": answer.structured_content,
                    "cancelled": cancelled,
                }
            )
        )


asyncio.run(main())
