/** `siskin mcp`: the maker's client over standard input and output. */
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningService, startService } from "../../support/service.ts";

const ROOT = join(import.meta.dirname, "../../..");

let service: RunningService;
beforeAll(async () => {
  service = await startService();
}, 120_000);
afterAll(async () => {
  await service?.stop();
});

const connected = async (mode: "legacy" | { readonly pin: string }, path = "/mcp/shop"): Promise<Client> => {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  const args = [join(ROOT, "cli/bin/siskin.mjs"), "mcp", service.url + path];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: "inherit" }));
  return client;
};

describe.each([["legacy"], [{ pin: "2026-07-28" }]] as const)("siskin mcp, %j", (mode) => {
  it("lists, reads and calls", async () => {
    const client = await connected(mode);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("query");
    const answer = await client.callTool({
      name: "query",
      arguments: { sql: "SELECT status, sum(total) AS total FROM orders GROUP BY status ORDER BY status", limit: 1 },
    });
    expect(answer.structuredContent).toMatchObject({ rows: [["F", "176564281.45"]], truncated: true });
    await client.close();
  });
});

it("says what is wrong with the project", async () => {
  await expect(connected("legacy", "/mcp/nothing")).rejects.toThrow("There is no project of that name");
});
