/** The view of a result is offered where the service has it, to every caller alike. */
import { describe, expect, it } from "vitest";
import type { Explorer } from "../../src/api/exchange.ts";
import { SHOP } from "../projects/shop.ts";
import { mcpApp } from "./mcp-app.ts";

const URI = "ui://siskin/result.html";

function appWith(explorer: Explorer | undefined) {
  const key = { projects: ["shop"], properties: { tenant: "alpha", level: 1 } };
  const app = mcpApp({ one: key }, { api: { explorer } });
  app.store.push("shop", SHOP);
  return app;
}

const files: Explorer["files"] = async (name) =>
  name === "result.html" ? new Response("<!doctype html>") : new Response(null, { status: 404 });

describe("the view", () => {
  it("is a resource of its own type, and the tools that answer rows name it", async () => {
    const app = appWith({ files, setting: undefined });
    const { result: list } = await app.call("one", "resources/list");
    expect(list.resources).toContainEqual(expect.objectContaining({ uri: URI, mimeType: "text/html;profile=mcp-app" }));
    const { result: read } = await app.call("one", "resources/read", { uri: URI });
    expect(read.contents).toEqual([
      {
        uri: URI,
        mimeType: "text/html;profile=mcp-app",
        text: "<!doctype html>",
        _meta: { ui: { csp: {}, prefersBorder: true } },
      },
    ]);
    const { result: tools } = await app.call("one", "tools/list");
    const named = tools.tools.filter((tool: { _meta?: unknown }) => tool._meta !== undefined);
    expect(named.map(({ name, _meta }: { name: string; _meta: unknown }) => [name, _meta])).toEqual([
      ["query", { ui: { resourceUri: URI } }],
      ["query_cube", { ui: { resourceUri: URI } }],
    ]);
    expect(JSON.stringify(tools.tools).length).toBeLessThan(10_000);
  });

  it.each<[what: string, explorer: Explorer | undefined]>([
    ["the files of the pages", undefined],
    ["the page", { files, setting: "off" }],
  ])("is not there without %s", async (_, explorer) => {
    const app = appWith(explorer);
    const [list, tools] = [await app.call("one", "resources/list"), await app.call("one", "tools/list")];
    expect(list.text + tools.text).not.toContain("ui://");
    expect((await app.call("one", "resources/read", { uri: URI })).error.message).toBe(
      (await app.call("one", "resources/read", { uri: "ui://siskin/other.html" })).error.message,
    );
  });
});
