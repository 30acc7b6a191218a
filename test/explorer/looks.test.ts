/** How the page looks where it is hard: names that are markup, dark, narrow, large letters, still, on paper. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { hasBrowser, WITHOUT_BROWSER } from "../support/browser.ts";
import { cells, findings, pagesOf, summary } from "./browser-page.ts";
import { type FakeService, HEAD, json, PROJECT, rows, startFakeService } from "./fake-service.ts";

const { open } = pagesOf();
let service: FakeService;
beforeAll(async () => {
  service = await startFakeService();
});
afterAll(() => service?.close());
afterEach(() => service.answers.clear());

const NAMES = [
  `<img src=x onerror="document.title='run'">`,
  "javascript:alert(1)",
  "\u202Etxet",
  '"><script>document.title="run"</script>',
];

const described = (name: string) => ({ name, description: name });

const HOSTILE = {
  ...PROJECT,
  title: NAMES[0],
  description: NAMES[3],
  instructions: NAMES[0],
  rowRuleProperties: NAMES,
  examples: [{ question: NAMES[0], sql: `SELECT '${NAMES[3]}'` }],
  questions: [{ name: "a", title: NAMES[3] }],
  models: NAMES.map((name, place) => ({
    ...described(name),
    columns: Array.from({ length: 10_000 }, (_, column) => ({ name: `${name}${column}`, type: name, nullable: true })),
    paths: [{ ...described(name), model: NAMES[(place + 1) % NAMES.length], joinType: name }],
  })),
  views: NAMES.map(described),
  cubes: NAMES.map((name) => ({
    ...described(name),
    measures: [{ ...described(name), type: name }],
    dimensions: [{ name: `${name} d`, type: name }],
    timeDimensions: [{ name: `${name} t`, type: name }],
  })),
};

describe.skipIf(!hasBrowser)(`the page${hasBrowser ? "" : ` (${WITHOUT_BROWSER})`}`, () => {
  test("a hostile model is text in the tree, the graph, the builder, the plan and the rows", async () => {
    service.answers.set("/shop", json(HOSTILE));
    const dtypes = Object.fromEntries(NAMES.map((name) => [name, "string"]));
    const head = JSON.stringify({ columns: NAMES, dtypes });
    service.answers.set("/shop/query", rows(`${head}\n${JSON.stringify(NAMES)}\n{"end":{"rows":1}}\n`));
    service.answers.set(
      "/shop/explain",
      json({
        columns: NAMES.map((name) => ({ name, type: name, nullable: true })),
        dialectSql: NAMES.join("\n"),
        origins: [0, 0, 6],
        lineage: NAMES.map((column) => ({ column, sources: NAMES })),
        warnings: [{ code: NAMES[0], message: NAMES[3] }],
      }),
    );
    const { page, faults } = await open(`${service.url}/explore/shop`);
    await summary(page).getByText("1 row").waitFor();
    expect(await cells(page)).toEqual([NAMES]);
    for (const tab of ["Plan", "Lineage", "Graph", "Request", "Result"]) {
      await page.getByRole("tab", { name: tab }).click();
      await page.locator("#panel").getByText("Loading…").waitFor({ state: "detached" });
    }
    await page.getByRole("tab", { name: "Graph" }).click();
    expect(await page.locator(".node").count()).toBe(NAMES.length);
    await page.getByRole("button", { name: "Builder" }).click();
    await page.locator(".statement pre").waitFor();
    expect(await page.locator("img, aside script, main script, a[href^='javascript']").count()).toBe(0);
    expect(await page.title()).toBe(`Siskin · ${NAMES[0]}`);
    expect(faults).toEqual([]);
  });

  const THREE = '{"columns":["month","kind","sum"],"dtypes":{"month":"date32[day]","kind":"string","sum":"int64"}}\n';
  const CHART = rows(
    `${THREE}["2024-01-01","a",3]\n["2024-01-01","b",4]\n["2024-02-01","a",5]\n["2024-02-01","b",1]\n{"end":{"rows":4}}\n`,
  );

  test("a chart is changed, read by keyboard, listed as a table and saved as SVG", async () => {
    service.answers.set("/shop/query", CHART);
    const { page, faults } = await open(`${service.url}/explore/shop`);
    await summary(page).getByText("4 rows").waitFor();
    await page.getByRole("tab", { name: "Chart" }).click();
    await page.locator(".line.s1").waitFor();
    await page.getByRole("img").press("ArrowRight");
    await page.getByRole("status").getByText("2024-01-01 · a: 3").waitFor();
    await page.getByText("Values as a table").click();
    const listed = page.locator(".equivalent tbody tr");
    expect(await listed.allTextContents()).toEqual(["2024-01-01a3", "2024-02-01a5", "2024-01-01b4", "2024-02-01b1"]);
    for (const [name, bars] of [
      ["Side by side", 4],
      ["Stacked", 4],
      ["Line", 0],
    ] as const) {
      await page.getByRole("button", { name, exact: true }).click();
      expect(await page.locator("rect.bar").count()).toBe(bars);
      expect(await findings(page)).toEqual([]);
    }
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save SVG" }).click();
    const file = await (await saved).createReadStream();
    const svg = Buffer.concat(await file.toArray()).toString();
    expect(svg).toContain('xmlns="http://www.w3.org/2000/svg"');
    expect(svg.match(/<path[^>]*class="line/g)).toHaveLength(2);
    expect(svg).toMatch(/stroke="rgb/);
    expect(faults).toEqual([]);
  });

  test.each([
    ["dark", { colorScheme: "dark" as const }, 1360],
    ["narrow", {}, 380],
    // Twice as large letters leave half of the pixels.
    ["200 % zoom", {}, 680],
    ["still", { reducedMotion: "reduce" as const }, 1360],
  ])("%s: nothing is cut off, and no finding is serious", async (_, media, width) => {
    service.answers.set("/shop/query", CHART);
    const { page } = await open(`${service.url}/explore/shop`, async (opened) => {
      await opened.emulateMedia(media);
      await opened.setViewportSize({ width, height: 820 });
    });
    await summary(page).getByText("4 rows").waitFor();
    await page.locator(".cm-content").waitFor();
    for (const tab of ["Result", "Chart", "Graph"]) {
      await page.getByRole("tab", { name: tab }).click();
      await page.locator("#panel").getByText("Loading…").waitFor({ state: "detached" });
      expect(await findings(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
  });

  test("nothing moves where motion is unwanted", async () => {
    service.answers.set("/shop", { waits: true });
    const { page } = await open(`${service.url}/explore/shop`, (opened) =>
      opened.emulateMedia({ reducedMotion: "reduce" }),
    );
    await page.locator(".skeleton span").first().waitFor();
    expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
  });

  test("on paper the answer stands alone", async () => {
    service.answers.set("/shop/query", rows(`${HEAD}[1]\n{"end":{"rows":1}}\n`));
    const { page } = await open(`${service.url}/explore/shop`);
    await summary(page).getByText("1 row").waitFor();
    await page.emulateMedia({ media: "print" });
    expect(await page.locator("table").isVisible()).toBe(true);
    for (const part of ["header", "aside", "footer", ".editing", ".bar"]) {
      expect(await page.locator(part).first().isVisible(), part).toBe(false);
    }
  });
});
