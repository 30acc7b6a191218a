/** The page in a real browser, over the service of `npm start`: what is on the screen is what the API answers. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasBrowser, WITHOUT_BROWSER } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { type RunningService, startService } from "../support/service.ts";
import { ask, cells, findings, pagesOf, summary, write } from "./browser-page.ts";
import { busiest, processorTicks, ticksOf } from "./processor-ticks.ts";

const { open } = pagesOf();
let service: RunningService;

describe.skipIf(!hasBrowser)(`the page${hasBrowser ? "" : ` (${WITHOUT_BROWSER})`}`, () => {
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service?.stop());

  test("opens with the bundled project and an answered question, from its own host alone", async () => {
    const { page, faults, hosts } = await open(`${service.url}/explore`);
    await summary(page).getByText("rows").waitFor();
    expect(await page.title()).toBe("Siskin · Shop");
    expect(page.url()).toContain("/explore/shop#sql=");
    expect(await page.getByText("ordered_on").count()).toBeGreaterThan(0);
    await page.locator(".cm-content").waitFor();
    expect(await findings(page)).toEqual([]);
    expect(faults).toEqual([]);
    expect([...hosts]).toEqual([new URL(service.url).host]);
  });

  test("shows each cell as the API answers it", async () => {
    const sql =
      "SELECT id, status, ordered_on, total, is_large, NULL AS nothing, '' AS empty FROM orders ORDER BY id LIMIT 20";
    const { page } = await open(`${service.url}/explore/shop#${new URLSearchParams({ sql })}`);
    await summary(page).getByText("20 rows").waitFor();
    const answer = await fetch(`${service.url}/v3/projects/shop/query`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ sql }),
    });
    const { data } = (await answer.json()) as { readonly data: readonly (readonly unknown[])[] };
    const shown = (await cells(page)).map((row) =>
      row.map((cell, index) => (index === 3 || index === 0 ? cell.replaceAll(",", "") : cell)),
    );
    expect(shown).toEqual(
      data.map((row) =>
        row.map((value, index) => (value === null ? "NULL" : index === 6 && value === "" ? "empty" : String(value))),
      ),
    );
  });

  test("the refusal of a statement names its place and the name that was meant, and a click mends it", async () => {
    const { page } = await open(`${service.url}/explore/shop`);
    await ask(page, "SELECT c.name, c.segmnt FROM customers c ORDER BY 1 LIMIT 3");
    await page.getByRole("button", { name: "Replace with segment" }).click();
    await page.locator(".cm-content", { hasText: "c.segment " }).waitFor();
    await page.getByRole("button", { name: "Run" }).click();
    await summary(page).getByText("3 rows").waitFor();
    expect((await cells(page)).length).toBe(3);
  });

  test("a warning stands above the rows", async () => {
    const { page } = await open(`${service.url}/explore/shop`);
    await ask(page, "SELECT sum(o.total) FROM orders o JOIN customers c ON c.country_code = c.country_code");
    await expect.poll(() => page.locator(".warning, .note.bad").count(), { timeout: 30_000 }).toBeGreaterThan(0);
  });

  test("rows beyond the chosen number are told, and a chart of one page of them is still exact", async () => {
    const { page } = await open(`${service.url}/explore/shop`);
    await page.getByLabel("Limit").selectOption("100");
    await ask(page, "SELECT id, total FROM orders ORDER BY id");
    await page.getByText("The first 100 rows are shown, and there are more.").waitFor();
    await summary(page).getByText("100 rows and more").waitFor();
    expect(await page.locator("table[aria-rowcount='101']").count()).toBe(1);
  });

  test("many rows scroll, and only those in sight are in the document", async () => {
    const { page } = await open(`${service.url}/explore/shop`);
    await page.getByLabel("Limit").selectOption("10000");
    await ask(page, "SELECT id FROM orders ORDER BY id LIMIT 1500");
    await summary(page)
      .getByText(/^1,500 rows/)
      .waitFor();
    const before = await cells(page);
    expect(before.length).toBeLessThan(100);
    await page.locator(".table").evaluate((table) => {
      table.scrollTop = table.scrollHeight;
    });
    await page.locator("tr[aria-rowindex='1501']").waitFor();
  });

  test("a chart has exact values in its tooltip, and says why there is none", async () => {
    const { page, faults } = await open(`${service.url}/explore/shop`);
    await ask(
      page,
      "SELECT c.segment, sum(o.total) AS revenue FROM orders o JOIN customers c ON c.id = o.customer_id GROUP BY 1 ORDER BY 1",
    );
    await summary(page).getByText("5 rows").waitFor();
    const [[segment = "", revenue = ""] = []] = await cells(page);
    await page.getByRole("tab", { name: "Chart" }).click();
    await page.locator(".bar.s0").first().hover();
    await page.locator(".tip", { hasText: `${segment} · revenue: ${revenue.replaceAll(",", "")}` }).waitFor();
    expect(await findings(page)).toEqual([]);
    await ask(page, "SELECT name FROM customers LIMIT 2");
    await page.getByText("No column is a number.").waitFor();
    expect(faults).toEqual([]);
  });

  test("plan, lineage and requests are those of the statement", async () => {
    const { page } = await open(`${service.url}/explore/shop`);
    await ask(page, "SELECT status, sum(total) AS s FROM orders GROUP BY status");
    await summary(page).getByText("3 rows").waitFor();
    await page.getByRole("tab", { name: "Plan" }).click();
    const [left, right] = [page.locator(".pieces").nth(0), page.locator(".pieces").nth(1)];
    const lit = async (side: typeof left): Promise<string> => (await side.locator(".lit").allTextContents()).join("");
    await right.getByText(`"tpch/orders.parquet"`).first().hover();
    expect(await lit(left)).toBe("orders");
    await left.getByText("total", { exact: true }).hover();
    expect(await lit(right)).toContain("o_totalprice");
    await right.focus();
    await page.keyboard.press("ArrowRight");
    expect(await lit(left)).not.toBe("");
    expect(await findings(page)).toEqual([]);
    await page.getByRole("tab", { name: "Lineage" }).click();
    await page.getByRole("cell", { name: "orders.total" }).waitFor();
    await page.getByRole("tab", { name: "Request" }).click();
    await page.getByText(`curl -s '${service.url}/v3/projects/shop/query'`).waitFor();
    await page.getByText(`curl -s '${service.url}/mcp/shop'`).waitFor();
    expect(await findings(page)).toEqual([]);
  });

  test("the graph has the models as buttons, their relationships as a list, and the path of a computed column", async () => {
    const { page, faults } = await open(`${service.url}/explore/shop`);
    await page.getByRole("tab", { name: "Graph" }).click();
    await page.getByRole("listitem").getByText("customers to nations by nation: many to one").waitFor();
    expect(await page.locator(".edge text").allTextContents()).toEqual(["n", "1"]);
    await page.getByRole("button", { name: "customers", exact: true }).press("Enter");
    await page.locator(".side").getByRole("button", { name: "nation_name" }).press("Enter");
    await page.getByText("nation_name is computed from nations.id, nations.name.").waitFor();
    expect(await page.locator(".edge.lit").count()).toBe(1);
    expect(await page.locator(".node.lit").count()).toBe(2);
    await page.locator(".side").getByRole("button", { name: "segment" }).click();
    await page.getByText("segment is computed from a column of the source.").waitFor();
    expect(await page.locator(".edge.lit").count()).toBe(0);
    expect(await findings(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  test("values of columns are found from the search of the model, and the head shows the state of the service", async () => {
    const { page } = await open(`${service.url}/explore/shop`);
    await summary(page).getByText("34 rows").waitFor();
    await page.getByText("Service ready").waitFor();
    await page.getByRole("searchbox").fill("machin");
    await page.getByRole("button", { name: "in the values of columns" }).press("Enter");
    await page.getByRole("button", { name: "MACHINERY" }).waitFor();
    expect(await findings(page)).toEqual([]);
    await write(page, "SELECT count(*) AS n FROM customers WHERE ");
    await page.getByRole("button", { name: "MACHINERY" }).click();
    await page.getByRole("button", { name: "Run" }).click();
    await summary(page).getByText("1 row").waitFor();
    await page.getByRole("searchbox").fill("no such value");
    await page.getByRole("button", { name: "in the values of columns" }).click();
    await page.getByText(/No value holds it in \d+ columns\./).waitFor();
  });

  test("Back and Forward ask the earlier and the later question again", async () => {
    const { page } = await open(`${service.url}/explore`);
    await summary(page).getByText("34 rows").waitFor();
    for (const [sql, rows] of [
      ["SELECT 7 AS seven", "1 row"],
      ["SELECT id FROM nations LIMIT 3", "3 rows"],
    ] as const) {
      await ask(page, sql);
      await summary(page).getByText(rows).waitFor();
    }
    await page.goBack();
    await summary(page).getByText("1 row").waitFor();
    await page.locator(".cm-content", { hasText: "SELECT 7 AS seven" }).waitFor();
    await page.goBack();
    await summary(page).getByText("34 rows").waitFor();
    await page.goForward();
    await page.goForward();
    await summary(page).getByText("3 rows").waitFor();
    expect(new URL(page.url()).pathname).toBe("/explore/shop");
  });

  test("questions are kept in the browser, without rows, until somebody switches it off", async () => {
    const { page, faults } = await open(`${service.url}/explore/shop`);
    const kept = () => page.evaluate(() => JSON.stringify({ ...localStorage }));
    await summary(page).getByText("34 rows").waitFor();
    await ask(page, "SELECT max(total) AS most FROM orders");
    await summary(page).getByText("1 row").waitFor();
    const [[most = ""] = []] = await cells(page);
    await page.reload();
    await page.getByText("Asked before").click();
    await page.getByRole("button", { name: "Revenue by month and status?", exact: false }).waitFor();
    await page.locator(".history .leaf", { hasText: "date_trunc" }).click();
    await summary(page).getByText("34 rows").waitFor();
    expect(await kept()).toContain("max");
    expect(await kept()).not.toContain(most.replaceAll(",", ""));
    expect(await findings(page)).toEqual([]);
    await page.getByLabel("Keep questions in this browser").uncheck();
    await ask(page, "SELECT 7 AS seven");
    await summary(page).getByText("1 row").waitFor();
    expect(await kept()).toBe('{"siskin.history":"off"}');
    expect(faults).toEqual([]);
  });

  test("the whole flow works by keyboard", async () => {
    const { page } = await open(`${service.url}/explore/shop`);
    await page.locator(".cm-content").waitFor();
    await page.getByRole("searchbox").focus();
    await page.keyboard.type("segment");
    await page.keyboard.press("Tab");
    for (
      let step = 0;
      step < 10 && !(await page.evaluate(() => document.activeElement?.textContent?.includes("segment")));
      step++
    ) {
      await page.keyboard.press("Tab");
    }
    await write(page, "SELECT  FROM customers GROUP BY 1 ORDER BY 1");
    await page.keyboard.press("Home");
    for (let step = 0; step < "SELECT ".length; step++) await page.keyboard.press("ArrowRight");
    await page.getByRole("button", { name: "segment text" }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Control+Enter");
    await summary(page).getByText("5 rows").waitFor();
    await page.getByRole("tab", { name: "Result" }).focus();
    await page.keyboard.press("ArrowRight");
    expect(await page.getByRole("tab", { selected: true }).textContent()).toBe("Chart");
  });

  test("a file is that of the statement that was answered, and none is saved of an answer that breaks off", async () => {
    const { page } = await open(`${service.url}/explore/shop`);
    await ask(page, "SELECT 7 AS seven");
    await summary(page).getByText("1 row").waitFor();
    await write(page, "SELECT 8 AS eight");
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "CSV", exact: true }).click();
    expect(readFileSync(await (await saved).path(), "utf8")).toBe("seven\r\n7\r\n");
    await page.route("**/v3/projects/shop/query", (route) =>
      route.fulfill({ contentType: "text/csv", body: "seven\r\n7\r\n" }),
    );
    await page.getByRole("button", { name: "CSV", exact: true }).click();
    await page.getByRole("alert").getByText("The answer broke off: nothing was saved.").waitFor();
  });

  test("a cancelled question says that rows are missing, and its source stops", async () => {
    const { page } = await open(`${service.url}/explore/shop`);
    await summary(page).getByText("34 rows").waitFor();
    await page.getByLabel("Limit").selectOption("all");
    const closed = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/query"));
    const before = processorTicks(service.pid);
    // A browser that closes a connection before the first row is not noticed by workerd (docs/decisions/0034-abort.md).
    await ask(page, "SELECT a.id, b.total FROM orders a, orders b");
    await summary(page)
      .getByText(/^\d+,[\d,]+ rows so far/)
      .waitFor();
    const engine = await eventually(() => {
      const found = busiest(service.pid, before);
      expect(found.ticks).toBeGreaterThan(50);
      return found.pid;
    });
    await page.getByRole("button", { name: "Cancel" }).click();
    expect((await closed).failure()?.errorText).toBe("net::ERR_ABORTED");
    await page.getByText("Cancelled: rows are missing.").waitFor();
    let last = 0;
    let still = 0;
    await eventually(() => {
      const now = ticksOf(engine);
      still = now === last ? still + 1 : 0;
      last = now;
      expect(still).toBeGreaterThan(10);
    });
  });
});
