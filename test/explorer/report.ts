/** `npm run page`: measures the page in Chromium, writes docs/evidence/page.md, and takes the pictures of the guide. */
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { startBrowser } from "../support/browser.ts";
import { startService } from "../support/service.ts";
import { HEAD, rows, startFakeService } from "./fake-service.ts";

const ROOT = join(import.meta.dirname, "../..");
const PICTURES = join(ROOT, "docs/guide/pictures");
const MIB = 1024 * 1024;
const RUNS = 7;

interface Times {
  readonly firstPaint: number;
  readonly editor: number;
  readonly answer: number;
}

const middle = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Milliseconds from the beginning of the navigation, in a new profile without cached files. */
async function timesOf(browser: Browser, url: string): Promise<Times> {
  const context = await browser.newContext({ viewport: { width: 1360, height: 820 } });
  try {
    const page = await context.newPage();
    await page.addInitScript(() => {
      const marks = new Set<string>();
      const look = (): void => {
        const found = {
          editor: document.querySelector(".editor")?.shadowRoot?.querySelector(".cm-content"),
          answer: document.querySelector(".table td"),
        };
        for (const [name, element] of Object.entries(found)) {
          if (!element || marks.has(name)) continue;
          marks.add(name);
          performance.mark(name);
        }
        if (marks.size < 2) requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
    await page.goto(`${url}/explore`);
    await page.locator(".cm-content").waitFor();
    await page.locator(".table td").first().waitFor();
    await page.waitForFunction(() => performance.getEntriesByType("mark").length === 2);
    return await page.evaluate(() => {
      const at = (name: string): number => performance.getEntriesByName(name)[0]?.startTime ?? Number.NaN;
      return { firstPaint: at("first-contentful-paint"), editor: at("editor"), answer: at("answer") };
    });
  } finally {
    await context.close();
  }
}

/** Bytes of JavaScript objects after a collection. */
async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  await session.send("Performance.enable");
  const { metrics } = await session.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "JSHeapUsedSize")?.value ?? Number.NaN;
}

async function memoryOf(browser: Browser): Promise<{ readonly before: number; readonly after: number }> {
  const service = await startFakeService();
  const page = await browser.newPage({ viewport: { width: 1360, height: 820 } });
  try {
    await page.goto(`${service.url}/explore/shop`);
    await page.locator(".summary").getByText("1 row").waitFor();
    await page.locator(".cm-content").waitFor();
    const before = await heapOf(page);
    const million = Array.from({ length: 1_000_000 }, (_, row) => `[${row}]\n`).join("");
    service.answers.set("/shop/query", rows(`${HEAD}${million}{"end":{"rows":1000000}}\n`));
    await page.getByLabel("Limit").selectOption("all");
    await page.getByRole("button", { name: "Run" }).click();
    await page.getByText("The page keeps the first 10,000 of 1,000,000 rows.").waitFor();
    return { before, after: await heapOf(page) };
  } finally {
    await page.close();
    await service.close();
  }
}

async function picture(page: Page, name: string): Promise<void> {
  await page.locator("#panel").getByText("Loading…").waitFor({ state: "detached" });
  await page.mouse.move(0, 0);
  await page.screenshot({ path: join(PICTURES, `${name}.png`), animations: "disabled" });
}

async function pictures(browser: Browser, url: string): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1080, height: 660 } });
  try {
    await page.goto(`${url}/explore`);
    await page.locator(".summary").getByText("34 rows").waitFor();
    await page.locator(".cm-content").waitFor();
    await picture(page, "page");
    await page.getByRole("tab", { name: "Chart" }).click();
    await page.locator(".line").first().waitFor();
    await page.emulateMedia({ colorScheme: "dark" });
    await picture(page, "chart-dark");
    await page.emulateMedia({ colorScheme: "light" });
    await page.getByRole("tab", { name: "Result" }).click();
    await page.getByRole("button", { name: "Builder" }).click();
    await page.getByRole("checkbox", { name: "status" }).check();
    await page.getByLabel("Granularity of ordered_on").selectOption("quarter");
    await page.getByLabel("First day of ordered_on").fill("1995-01-01");
    await page.getByLabel("Last day of ordered_on").fill("1996-12-31");
    await page.getByRole("button", { name: "Run" }).click();
    await page.locator("thead th", { hasText: "ordered_on__quarter" }).waitFor();
    await page
      .locator(".summary")
      .getByText(/rows ·/)
      .waitFor();
    await picture(page, "builder");
  } finally {
    await page.close();
  }
}

const browser = await startBrowser();
const service = await startService();
try {
  // The first request of a service loads its modules.
  await timesOf(browser, service.url);
  const times: Times[] = [];
  for (let run = 0; run < RUNS; run++) times.push(await timesOf(browser, service.url));
  const { before, after } = await memoryOf(browser);
  await pictures(browser, service.url);
  const row = (what: string, name: keyof Times): string => {
    const values = times.map((each) => each[name]);
    return `| ${what} | ${Math.round(middle(values))} ms | ${Math.round(Math.min(...values))} ms |`;
  };
  writeFileSync(
    join(ROOT, "docs/evidence/page.md"),
    `# The page

\`npm run evidence -- page\` wrote this page, with Chromium ${browser.version()} on ${cpus().length} cores, and the pictures of
[the guide](../guide/explore.md).

## Time

From the beginning of the navigation, without cached files, over \`npm start\` on the same machine; ${RUNS} times.

| Until | Middle | Least |
|---|---|---|
${row("something is seen (first contentful paint)", "firstPaint")}
${row("the editor takes keys", "editor")}
${row("the first question is answered", "answer")}

## Memory

1,000,000 rows arrive, and the page keeps and shows the first 10,000.

| JavaScript heap after a collection | |
|---|---|
| page with one row | ${(before / MIB).toFixed(1)} MiB |
| page after a million rows | ${(after / MIB).toFixed(1)} MiB |
`,
  );
} finally {
  await browser.close();
  await service.stop();
}
