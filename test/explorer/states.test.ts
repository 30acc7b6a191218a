/** Each state of the page: what it says, that it never shows a part as the whole, and that axe finds nothing serious in it. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { hasBrowser, WITHOUT_BROWSER } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { findings, pagesOf, summary } from "./browser-page.ts";
import { type FakeService, failure, type Given, HEAD, json, PROJECT, rows, startFakeService } from "./fake-service.ts";

const { open } = pagesOf();
let service: FakeService;
beforeAll(async () => {
  service = await startFakeService();
});
afterAll(() => service?.close());
afterEach(() => service.answers.clear());

const whole = (body: string, count: number): string => `${HEAD}${body}{"end":{"rows":${count}}}\n`;

describe.skipIf(!hasBrowser)(`the states of the page${hasBrowser ? "" : ` (${WITHOUT_BROWSER})`}`, () => {
  const openWith = (path: string, given: Given) => {
    service.answers.set(path, given);
    return open(`${service.url}/explore/shop`);
  };

  test.each<[what: string, path: string, given: Given, said: string]>([
    ["no project", "", json({ projects: [] }), "Your credentials lead to no project."],
    ["no project that is ready", "", json({ projects: [{ name: "a", status: "unavailable" }] }), "No project is ready"],
    ["a project that is 401", "/shop", failure(401, "no key"), "Who are you?"],
    ["a project that is 403", "/shop", failure(403, "not yours"), "You may not use this"],
    ["a project that is 503", "/shop", failure(503, "the store rests"), "The project cannot be opened"],
    ["a service that is away", "/shop", { breaks: true }, "The service does not answer."],
    ["an empty model", "/shop", json({ ...PROJECT, examples: [], models: [] }), "The model is empty, or you may see"],
  ])("%s is said, with the way on", async (_, path, given, said) => {
    service.answers.set(path, given);
    const { page } = await open(`${service.url}/explore${path}`);
    await page.getByText(said).first().waitFor();
    expect(await findings(page)).toEqual([]);
  });

  test("a project that opens slowly is announced", async () => {
    const { page } = await openWith("/shop", { waits: true });
    await page.getByRole("status").getByText("Reading the projects…").waitFor();
    expect(await page.locator("main[aria-busy='true']").count()).toBe(1);
    expect(await findings(page)).toEqual([]);
  });

  test.each<[what: string, given: Given, said: string]>([
    ["breaks off", rows(`${HEAD}[1]\n`), "The answer is not whole."],
    ["loses its connection", { ...rows(`${HEAD}[1]\n`), breaks: true }, "The answer is not whole."],
    [
      "fails at the source after rows",
      rows(`${HEAD}[1]\n{"error":{"errorCode":"X","message":"disk is full","metadata":{}}}\n`),
      "disk is full",
    ],
    ["is refused for want of rights", failure(403, "not yours"), "You may not ask this."],
    ["is refused because the key ended", failure(401, "expired"), "Your credentials are not accepted."],
    ["is refused as a statement", failure(422, "column x not found"), "The question is refused."],
    [
      "finds no room",
      { ...failure(503, "try later"), headers: { "content-type": "application/json", "retry-after": "7" } },
      "Try again in 7 s.",
    ],
    ["fails at the source", failure(502, "the warehouse is down"), "The source failed."],
    [
      "is a page of a proxy",
      { status: 502, headers: { "content-type": "text/html" }, body: "<h1>Bad gateway</h1>" },
      "The service answered with status 502.",
    ],
    ["finds no service", { breaks: true }, "The service does not answer."],
  ])("an answer that %s is told, and never shown as whole", async (_, given, said) => {
    const { page } = await openWith("/shop/query", given);
    await page.locator("#panel").getByText(said).first().waitFor();
    expect(await summary(page).count()).toBe(0);
    await page.locator(".cm-content").waitFor();
    expect(await findings(page)).toEqual([]);
  });

  test("a running question shows its time, and that a source may be starting; Cancel closes its request", async () => {
    service.answers.set("/shop/query", { waits: true });
    const { page } = await open(`${service.url}/explore/shop`, (opened) => opened.clock.install());
    await summary(page).getByText("0 rows so far · 0 s").waitFor();
    await page.clock.runFor(3000);
    await summary(page).getByText("0 rows so far · 3 s").waitFor();
    await page.clock.runFor(3000);
    await summary(page).getByText("The source may still be starting.").waitFor();
    expect(await findings(page)).toEqual([]);
    service.closed.length = 0;
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.locator("#panel").getByText("Cancelled: rows are missing.").waitFor();
    await eventually(() => {
      expect(service.closed).toEqual(["/shop/query"]);
    });
    expect(await summary(page).count()).toBe(0);
  });

  test("the next question does not become cancelled with the one before it", async () => {
    let asked = 0;
    service.answers.set("/shop/query", () => (asked++ === 0 ? { waits: true } : rows(whole("[7]\n", 1))));
    const { page } = await open(`${service.url}/explore/shop`);
    await summary(page).getByText("0 rows so far").waitFor();
    await page.locator(".cm-content").press("Control+Enter");
    await summary(page).getByText("1 row").waitFor();
    expect(await page.getByText("Cancelled").count()).toBe(0);
  });

  test.each<[what: string, given: Given, said: string | RegExp]>([
    ["without rows", rows(whole("", 0)), "No rows."],
    [
      "from the cache",
      rows(whole("[1]\n", 1), {
        "x-cache-hit": "true",
        "x-cache-create-at": String(Date.parse("2026-01-01T00:00:00Z")),
      }),
      /from the cache, 9\d s old/,
    ],
    [
      "under row rules",
      rows(whole("[1]\n", 1), { "x-row-rules": "fenced" }),
      "kept by a fence that attacks have tried",
    ],
    [
      "with a warning",
      rows(whole("[1]\n", 1), { "x-warnings": JSON.stringify([{ code: "ROWS_LOST", message: "Rows may be lost." }]) }),
      "Rows may be lost.",
    ],
  ])("an answer %s is shown as such", async (_, given, said) => {
    service.answers.set("/shop/query", given);
    const { page } = await open(`${service.url}/explore/shop`, (opened) =>
      opened.clock.install({ time: new Date("2026-01-01T00:01:30Z") }),
    );
    await page.getByText(said).waitFor();
    await summary(page)
      .getByText(/^(?:0 rows|1 row)/)
      .waitFor();
    expect(await findings(page)).toEqual([]);
  });

  test("a million rows are counted, and the first ten thousand kept", async () => {
    const { page } = await open(`${service.url}/explore/shop`);
    await summary(page).getByText("1 row").waitFor();
    const million = Array.from({ length: 1_000_000 }, (_, row) => `[${row}]\n`).join("");
    service.answers.set("/shop/query", rows(whole(million, 1_000_000)));
    await page.getByLabel("Limit").selectOption("all");
    await page.getByRole("button", { name: "Run" }).click();
    await page.getByText("The page keeps the first 10,000 of 1,000,000 rows.").waitFor();
    expect(await page.locator("table[aria-rowcount='10001']").count()).toBe(1);
  });

  test("project rules are named in the head", async () => {
    const { page } = await openWith("/shop", json({ ...PROJECT, rowRuleProperties: ["tenant", "region"] }));
    await page.getByText("Project rules apply · tenant, region").waitFor();
    expect(await findings(page)).toEqual([]);
  });
});
