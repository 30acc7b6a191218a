/** `/docs` in a real browser, over the service of `npm start`: an operation is found, filled, sent and answered. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { messageOf } from "../../mcp/mcp-app.ts";
import { hasBrowser, WITHOUT_BROWSER } from "../../support/browser.ts";
import { type RunningService, startService } from "../../support/service.ts";
import { findings, pagesOf } from "../browser-page.ts";

const { open } = pagesOf();
let service: RunningService;

const send = (page: Page) => page.getByRole("button", { name: "Send" }).click();
const answer = (page: Page) => page.getByRole("region", { name: "Answer", exact: true });
const command = (page: Page) => page.getByRole("region", { name: "Command" }).locator("pre");

describe.skipIf(!hasBrowser)(`the reference${hasBrowser ? "" : ` (${WITHOUT_BROWSER})`}`, () => {
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service?.stop());

  test("sends the example of a project's query, from its own host alone, and shows the answer of the API", async () => {
    const { page, faults, hosts } = await open(`${service.url}/docs`);
    await page.getByRole("heading", { name: "Run a query over a project" }).waitFor();
    await send(page);
    await answer(page).getByText("200", { exact: true }).waitFor();
    const shown = JSON.parse((await answer(page).locator("pre.body").textContent()) ?? "");
    const direct = await fetch(`${service.url}/v3/projects/shop/query`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        sql: await page.getByLabel("sql").inputValue(),
        parameters: JSON.parse(await page.getByLabel("parameters").inputValue()),
      }),
    });
    expect(shown).toEqual(await direct.json());
    await answer(page).getByText("Headers").click();
    expect(await answer(page).getByRole("rowheader", { name: "x-project-version" }).count()).toBe(1);
    expect(await command(page).textContent()).toContain(`curl -s '${service.url}/v3/projects/shop/query'`);
    expect(await findings(page)).toEqual([]);
    expect(faults).toEqual([]);
    expect([...hosts]).toEqual([new URL(service.url).host]);
  });

  test("a manifest is edited as JSON, and a connection by the fields of its source", async () => {
    const { page } = await open(`${service.url}/docs#v3_query`);
    await page.getByLabel("manifestStr").waitFor();
    expect(JSON.parse(await page.getByLabel("manifestStr").inputValue())).toMatchObject({ catalog: "shop" });
    await send(page);
    await answer(page).getByText("FRANCE").waitFor();
    await page.getByLabel("data_source").selectOption("postgres");
    expect(await page.getByLabel("Form", { exact: true }).locator("option").allTextContents()).toEqual([
      "Fields",
      "A URL",
      "A connection of the operator, by name",
    ]);
    expect(await page.getByLabel("password", { exact: false }).first().getAttribute("type")).toBe("password");
    await page.getByLabel("Form", { exact: true }).selectOption("A connection of the operator, by name");
    await page.getByLabel("name text, required").fill("nowhere");
    await send(page);
    await answer(page).getByRole("alert").waitFor();
    expect(await findings(page)).toEqual([]);
  });

  test("an error has reason, place, hint and near names", async () => {
    const { page } = await open(`${service.url}/docs#v3_projectQuery`);
    await page.getByLabel("parameters").fill("");
    await page.getByLabel("sql").fill("SELECT nam FROM customers");
    await send(page);
    const alert = answer(page).getByRole("alert");
    await alert.getByText("line 1, column 8").waitFor();
    expect(await alert.textContent()).toContain("name");
    expect(await alert.locator("pre").textContent()).toContain("       ^^^");
    expect(await findings(page, "main")).toEqual([]);
  });

  test("a wrong field is named, focused, and nothing is sent", async () => {
    const { page } = await open(`${service.url}/docs#v3_projectQuery`);
    await page.getByText("More of the body (").click();
    await page.getByLabel("limit whole number").fill("many");
    await page.getByText("More of the body (").click();
    let sent = 0;
    page.on("request", (request) => {
      if (request.method() === "POST") sent++;
    });
    await send(page);
    await page.getByText("The value must be a whole number.").waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("body:limit");
    expect(sent).toBe(0);
    expect(await findings(page, "main")).toEqual([]);
  });

  test("the whole flow works by keyboard: search, open, write, send", async () => {
    const { page } = await open(`${service.url}/docs`);
    await page.getByRole("searchbox").focus();
    await page.keyboard.type("explain project");
    await page.getByText("Show the columns and descriptions").waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Show the columns and descriptions" }).waitFor();
    expect(page.url()).toContain("#v3_projectExplain");
    await page.getByLabel("sql").focus();
    await page.keyboard.press("Control+A");
    await page.keyboard.type("SELECT 1 AS one");
    await page.keyboard.press("Control+Enter");
    await answer(page).getByText("200", { exact: true }).waitFor();
    await answer(page).getByText('"one"').first().waitFor();
  });

  test("a key stays in memory, goes with requests, and is not in the command", async () => {
    const { page } = await open(`${service.url}/docs#v3_projects`, (opened) =>
      opened.route("**/openapi.json", async (route) => {
        const response = await route.fetch();
        await route.fulfill({ json: { ...(await response.json()), security: [{ bearerKey: [] }] } });
      }),
    );
    await page.getByLabel("Key or token").fill("sk-secret");
    await page.getByRole("button", { name: "Use" }).click();
    const sent = page.waitForRequest("**/v3/projects");
    await send(page);
    expect((await sent).headers()["authorization"]).toBe("Bearer sk-secret");
    expect(await command(page).textContent()).toContain("Bearer $SISKIN_TOKEN");
    expect(
      await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href])),
    ).not.toContain("sk-secret");
    expect(await findings(page)).toEqual([]);
  });

  test.each<
    [
      what: string,
      answer: { status?: number; body?: string; contentType?: string; headers?: Record<string, string> },
      said: string,
    ]
  >([
    [
      "401",
      { status: 401, contentType: "application/json", body: '{"errorCode":"X","message":"expired","metadata":{}}' },
      "expired",
    ],
    [
      "503",
      {
        status: 503,
        contentType: "application/json",
        headers: { "retry-after": "7" },
        body: '{"errorCode":"X","message":"full","metadata":{}}',
      },
      "Try again in 7 s.",
    ],
    [
      "a page of a proxy",
      { status: 502, contentType: "text/html", body: "<h1>Bad</h1><script>document.title='run'</script>" },
      "<h1>Bad</h1>",
    ],
    ["no body", { status: 204 }, "The answer has no body."],
    ["bytes", { contentType: "application/vnd.apache.arrow.stream", body: "ARROW" }, "The body is binary"],
    [
      "hostile JSON",
      { contentType: "application/json", body: JSON.stringify({ "<img src=x onerror=1>": "javascript:1" }) },
      "<img src=x onerror=1>",
    ],
    [
      "more than the page keeps",
      { contentType: "text/csv", body: "x".repeat(256 * 1024 + 1) },
      "The answer is longer than 256 KiB",
    ],
  ])("an answer with %s is shown as it is", async (_, given, said) => {
    const { page, faults } = await open(`${service.url}/docs#v3_projects`, (opened) =>
      opened.route("**/v3/projects", (route) => route.fulfill(given)),
    );
    await send(page);
    await answer(page).getByText(said).first().waitFor();
    expect(await answer(page).locator("img, script").count()).toBe(0);
    expect(await findings(page, "main")).toEqual([]);
    expect(faults).toEqual([]);
  });

  test("without a connection, and without a description of the API", async () => {
    const { page } = await open(`${service.url}/docs#v3_projects`, (opened) =>
      opened.route("**/v3/projects", (route) => route.abort()),
    );
    await send(page);
    await page.getByText("The service does not answer.").waitFor();
    const { page: other } = await open(`${service.url}/docs`, (opened) =>
      opened.route("**/openapi.json", (route) => route.abort()),
    );
    await other.getByRole("heading", { name: "The reference cannot be opened" }).waitFor();
    expect(await findings(other)).toEqual([]);
  });

  test("a request can be cancelled", async () => {
    const { page } = await open(`${service.url}/docs#v3_projects`, (opened) =>
      opened.route("**/v3/projects", () => new Promise(() => undefined)),
    );
    await send(page);
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("Cancelled.").waitFor();
  });

  test("GET with a body is shown as a command only", async () => {
    const { page } = await open(`${service.url}/docs#v3_analyseSqlGet`);
    await page.getByText("Browsers send no body with GET").waitFor();
    expect(await command(page).textContent()).toContain("-X GET");
    expect(await page.getByRole("button", { name: "Send" }).count()).toBe(0);
  });

  test.each<[what: string, media: { colorScheme?: "dark" }, width: number]>([
    ["dark", { colorScheme: "dark" }, 1360],
    ["narrow", {}, 380],
    // A window of 1360 pixels at 200 %.
    ["zoomed", {}, 680],
  ])("%s: no serious finding, and nothing is cut off", async (_, media, width) => {
    const { page } = await open(`${service.url}/docs#v3_cube`, async (opened) => {
      await opened.emulateMedia(media);
      await opened.setViewportSize({ width, height: 820 });
    });
    await page.getByLabel("manifestStr").waitFor();
    await send(page);
    await answer(page).locator("pre.body").waitFor();
    expect(await findings(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  });

  test("an agent's host gets the view of results from the same files", async () => {
    const { headers, body } = messageOf("", "resources/read", { uri: "ui://siskin/result.html" });
    const response = await fetch(`${service.url}/mcp/shop`, { method: "POST", headers, body });
    const { result } = (await response.json()) as { result: { contents: { mimeType: string; text: string }[] } };
    expect(result.contents[0]).toMatchObject({
      mimeType: "text/html;profile=mcp-app",
      text: expect.stringMatching(/^<!doctype html>/),
    });
  });

  describe("guides", () => {
    test.each<[what: string, media: { colorScheme?: "dark" }, width: number, name: string]>([
      ["wide", {}, 1360, "explore"],
      ["dark", { colorScheme: "dark" }, 1360, "warnings"],
      ["narrow", {}, 380, "formats"],
      ["zoomed", {}, 680, "callers"],
    ])("%s: no serious finding, and nothing is cut off", async (_, media, width, name) => {
      const { page, faults, hosts } = await open(`${service.url}/docs/guide/${name}`, async (opened) => {
        await opened.emulateMedia(media);
        await opened.setViewportSize({ width, height: 820 });
      });
      expect(await page.locator("h1").count()).toBe(1);
      expect(await findings(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      expect(faults).toEqual([]);
      expect([...hosts]).toEqual([new URL(service.url).host]);
    });

    test("code is copied by a button, and links lead on", async () => {
      const { page } = await open(`${service.url}/docs/guide/first-model`, (opened) =>
        opened.context().grantPermissions(["clipboard-read", "clipboard-write"]),
      );
      const block = page.locator(".code").first();
      await block.getByRole("button", { name: "Copy" }).click();
      await block.getByRole("button", { name: "Copied" }).waitFor();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await block.locator("pre").textContent());
      await page.getByRole("link", { name: "Configuration" }).first().click();
      await page.waitForURL("**/docs/guide/configuration");
    });
  });
});
