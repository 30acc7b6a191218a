/** `ui://siskin/result.html` as the service answers it, in a sandboxed frame of a host made of the extension's own classes. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { McpUiHostContext } from "@modelcontextprotocol/ext-apps/app-bridge";
import { build } from "esbuild";
import type { FrameLocator, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { freshExplorer } from "../../../scripts/service/explorer-bundle.ts";
import { mcpApp } from "../../mcp/mcp-app.ts";
import { SHOP } from "../../projects/shop.ts";
import { hasBrowser, WITHOUT_BROWSER } from "../../support/browser.ts";
import { findings, pagesOf } from "../browser-page.ts";

/** The policy that the extension asks hosts to set where a view names no host. */
const POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src 'self' data:; connect-src 'none'";

const HOST = `
import { AppBridge, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";
const frame = document.querySelector("iframe");
window.sizes = [];
window.show = async (html, context) => {
  const bridge = new AppBridge(null, { name: "host", version: "1" }, {}, { hostContext: context });
  window.bridge = bridge;
  const ready = new Promise((resolve) => { bridge.oninitialized = resolve; });
  bridge.onsizechange = (size) => window.sizes.push(size);
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
  frame.srcdoc = html;
  await ready;
};`;

type Theme = Pick<McpUiHostContext, "theme">;

interface HostWindow {
  readonly show: (html: string, context: Theme) => Promise<void>;
  readonly sizes: readonly { readonly height?: number }[];
  readonly bridge: {
    readonly sendToolInput: (input: object) => Promise<void>;
    readonly sendToolResult: (result: object) => Promise<void>;
    readonly sendToolCancelled: (params: object) => Promise<void>;
    readonly teardownResource: (params: object) => Promise<object>;
    readonly setHostContext: (context: Theme) => void;
  };
}

const { open } = pagesOf();
let host = "";
let html = "";
let direct: object = {};

interface Shown {
  readonly page: Page;
  readonly view: FrameLocator;
  readonly faults: readonly string[];
  readonly hosts: ReadonlySet<string>;
}

async function shown(result: object | undefined, context: Theme = {}): Promise<Shown> {
  const opened = await open("http://host.test/", (page) =>
    page.route("**/*", (route) =>
      route.request().url() === "http://host.test/"
        ? route.fulfill({
            contentType: "text/html",
            headers: { "Content-Security-Policy": POLICY },
            body: `<!doctype html><html lang="en"><title>Host</title><body><main><h1>Host</h1><iframe title="view" sandbox="allow-scripts" width="900" height="600"></iframe></main><script>${host}</script></body></html>`,
          })
        : route.abort(),
    ),
  );
  const { page } = opened;
  await page.evaluate(([text, given]) => (globalThis as unknown as HostWindow).show(text, given), [
    html,
    context,
  ] as const);
  if (result !== undefined) {
    await page.evaluate(async (given) => {
      const { bridge } = globalThis as unknown as HostWindow;
      await bridge.sendToolInput({ arguments: { sql: "SELECT 1 AS question" } });
      await bridge.sendToolResult(given);
    }, result);
  }
  return { ...opened, view: page.frameLocator("iframe") };
}

const rowsOf = (view: FrameLocator): Promise<string[][]> =>
  view
    .locator(".table tbody tr:not(.space)")
    .evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent ?? "")));

const resultOf = (structured: object): object => ({
  content: [{ type: "text", text: "rows" }],
  structuredContent: { rowCount: 0, truncated: false, warnings: [], queryId: "q-1", ...structured },
});
const SEGMENTS = resultOf({
  columns: [
    { name: "segment", type: "string" },
    { name: "revenue", type: "decimal128(15, 2)" },
  ],
  rows: [
    ["a", "12345678901234567890.10"],
    ["b", "2.50"],
  ],
});

describe.skipIf(!hasBrowser)(`the view${hasBrowser ? "" : ` (${WITHOUT_BROWSER})`}`, () => {
  beforeAll(async () => {
    const directory = await freshExplorer();
    const { outputFiles } = await build({
      stdin: { contents: HOST, resolveDir: import.meta.dirname },
      bundle: true,
      format: "iife",
      platform: "browser",
      minify: true,
      write: false,
    });
    host = (outputFiles[0]?.text ?? "").replaceAll("</script", "<\\/script");
    const key = { projects: ["shop"], properties: { tenant: "alpha", level: 1 } };
    const files = async (name: string) => new Response(readFileSync(join(directory, name)));
    const app = mcpApp({ one: key }, { api: { explorer: { files, setting: undefined } } });
    app.store.push("shop", SHOP);
    const { result } = await app.call("one", "resources/read", { uri: "ui://siskin/result.html" });
    html = result.contents[0].text;
    direct = (await app.call("one", "tools/call", { name: "query", arguments: { sql: "SELECT id FROM orders" } }))
      .result;
  });

  test("shows a result of the service with rows, the guarantee of row rules and the question, and asks no host", async () => {
    const { page, view, faults, hosts } = await shown(direct);
    await view.getByText("1 row", { exact: true }).waitFor();
    expect(await rowsOf(view)).toEqual([["1"]]);
    await view.getByText("kept by a fence that attacks have tried").or(view.getByText("kept: nothing")).waitFor();
    await view.getByText("Question", { exact: true }).click();
    await view.getByText("SELECT 1 AS question").waitFor();
    expect(await findings(page)).toEqual([]);
    expect(faults).toEqual([]);
    expect([...hosts].filter((name) => name !== "")).toEqual(["host.test"]);
    await expect
      .poll(() => page.evaluate(() => (globalThis as unknown as HostWindow).sizes.at(-1)?.height ?? 0))
      .toBeGreaterThan(50);
    expect(await page.evaluate(() => (globalThis as unknown as HostWindow).bridge.teardownResource({}))).toEqual({});
  });

  test("has a chart with exact values, by keyboard", async () => {
    const { page, view, faults } = await shown(SEGMENTS);
    expect(await rowsOf(view)).toEqual([
      ["a", "12,345,678,901,234,567,890.10"],
      ["b", "2.50"],
    ]);
    await view.getByRole("button", { name: "Chart" }).focus();
    await page.keyboard.press("Enter");
    await view.locator(".bar.s0").first().hover();
    await view.locator(".tip", { hasText: "a · revenue: 12345678901234567890.10" }).waitFor();
    expect(await view.getByRole("button", { name: "Save SVG" }).count()).toBe(0);
    expect(await findings(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  test("says that an answer is cut, and shows warnings", async () => {
    const { page, view } = await shown(
      resultOf({
        columns: [{ name: "n", type: "int64" }],
        rows: [["1"]],
        truncated: true,
        warnings: [{ code: "FAN_OUT", message: "Rows repeat.", hint: "Aggregate first." }],
        rowRules: "none",
      }),
    );
    await view.getByText("The first row is shown, and there are more.").waitFor();
    await view.getByText("Aggregate first.").waitFor();
    await view.getByText("no row rule applies").waitFor();
    expect(await view.getByRole("button", { name: "Chart" }).count()).toBe(0);
    expect(await findings(page)).toEqual([]);
  });

  test("shows hostile names and values as text", async () => {
    const names = ["<img src=x onerror=alert(1)>", "javascript:alert(1)", "\u202Etxet", "</script><script>1</script>"];
    const { view, faults } = await shown(
      resultOf({
        columns: names.map((name) => ({ name, type: "string" })),
        rows: [names, [null, "", 7, { a: names[0] }]],
        warnings: [{ code: names[0], message: names[3] }],
      }),
    );
    await view.getByText("2 rows", { exact: true }).waitFor();
    expect(await rowsOf(view)).toEqual([names, ["NULL", "empty", "7", JSON.stringify({ a: names[0] })]]);
    expect(await view.locator("img, main script, a").count()).toBe(0);
    expect(faults).toEqual([]);
  });

  test.each<[what: string, result: object, said: string]>([
    ["no rows", resultOf({ columns: [{ name: "n", type: "int64" }], rows: [] }), "No rows."],
    [
      "an error",
      {
        isError: true,
        content: [{ type: "text", text: "No column nam.\nline 1, column 8:" }],
        structuredContent: { error: { errorCode: "INVALID_SQL" } },
      },
      "INVALID_SQL",
    ],
    ["text alone", { content: [{ type: "text", text: "<b>2 rows</b>" }] }, "<b>2 rows</b>"],
  ])("shows %s", async (_, result, said) => {
    const { page, view } = await shown(result);
    await view.getByText(said).waitFor();
    expect(await findings(page)).toEqual([]);
  });

  test("waits, and says when the call was cancelled", async () => {
    const { page, view } = await shown(undefined);
    await view.getByText("Waiting for the answer…").waitFor();
    await page.evaluate(() =>
      (globalThis as unknown as HostWindow).bridge.sendToolCancelled({ reason: "by the user" }),
    );
    await view.getByText("Cancelled. by the user").waitFor();
  });

  test("takes the theme of the host, also when it changes", async () => {
    const { page, view } = await shown(SEGMENTS, { theme: "dark" });
    const background = () => view.locator("body").evaluate((body) => getComputedStyle(body).backgroundColor);
    await view.getByText("2 rows", { exact: true }).waitFor();
    await expect.poll(background).toBe("rgb(26, 30, 34)");
    expect(await findings(page)).toEqual([]);
    await page.evaluate(() => (globalThis as unknown as HostWindow).bridge.setHostContext({ theme: "light" }));
    await expect.poll(background).toBe("rgb(255, 255, 255)");
  });
});
