import { describe, expect, it } from "vitest";
import { SHOP } from "../projects/shop.ts";
import { mcpApp } from "./mcp-app.ts";

const KEYS = {
  "key-of-alice": { projects: ["shop"], properties: { tenant: "alpha", level: 1 } },
  "key-of-many": { projects: ["shop", "other"], properties: { tenant: "alpha", level: 1 } },
  "key-of-bob": { projects: ["other"], properties: { tenant: "beta", level: 9 } },
} as const;

function shopApp(options: Parameters<typeof mcpApp>[1] = {}) {
  const app = mcpApp(KEYS, options);
  app.store.push("shop", SHOP);
  app.store.push("other", SHOP);
  return app;
}

const QUERY = { sql: "SELECT id FROM orders" };

describe("POST /mcp/{project}", () => {
  it("runs a query with the project's manifest, connection and rules", async () => {
    const app = shopApp();
    const answer = await app.tool("key-of-alice", "query", QUERY);
    expect(answer.isError).toBe(false);
    expect(answer.structured).toMatchObject({
      columns: [{ name: "id", type: "int32" }],
      rows: [[1]],
      rowCount: 1,
      truncated: false,
    });
    expect(answer.text).toContain("1 row, complete.");
    const [statement] = app.services.sources.statements;
    expect(statement?.sql).toContain("hidden_canary = 'alpha'");
  });

  it("is one line of the log, with the outcome of its use case", async () => {
    const app = shopApp();
    await app.tool("key-of-alice", "query", QUERY);
    await app.settled();
    expect(app.logged).toMatchObject([
      { event: "request", route: "/mcp/:project", caller: "key-of-alice", project: "shop", status: 200, rows: 1 },
    ]);
    await app.tool("key-of-alice", "query", { sql: "SELECT nothing FROM orders" });
    expect(app.logged[1]).toMatchObject({ status: 200, errorCode: "INVALID_SQL", reason: "COLUMN_NOT_FOUND" });
  });

  it("counts a request of several use cases once", async () => {
    const app = mcpApp({ one: { ...KEYS["key-of-alice"], limits: { requestsPerMinute: 1 } } });
    app.store.push("shop", SHOP);
    expect((await app.tool("one", "check", QUERY)).isError).toBe(false);
    expect((await app.call("one", "tools/list")).status).toBe(429);
  });

  it("needs no name when the caller has one project", async () => {
    const app = shopApp();
    expect((await app.tool("key-of-alice", "query", QUERY, "")).structured).toMatchObject({ rowCount: 1 });
    expect((await app.call("key-of-many", "tools/list", {}, "")).status).toBe(404);
  });

  it("answers a foreign project as an unknown one", async () => {
    const app = shopApp();
    const without = (text: string) => text.replace(/"timestamp":"[^"]*","correlationId":"[^"]*"/, "");
    const [foreign, unknown] = await Promise.all(
      ["/shop", "/nothing"].map((project) => app.call("key-of-bob", "tools/list", {}, project)),
    );
    expect(foreign?.status).toBe(404);
    expect(without(foreign?.text ?? "")).toBe(without(unknown?.text ?? "x"));
  });

  it("does not exist where no MCP Worker is bound", async () => {
    const app = shopApp({ api: { mcp: undefined } });
    expect((await app.call("key-of-alice", "tools/list")).status).toBe(404);
  });

  it("refuses strangers before it reads the message", async () => {
    const response = await shopApp().fetch("/mcp/shop", { method: "POST", body: "{" });
    expect(response.status).toBe(401);
  });
});
