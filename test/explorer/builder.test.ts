/** The builder of cube queries: what it asks, what it shows as SQL, and what the API answers are the same. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CubeQuery } from "../../src/explorer/cube/cube-query.ts";
import { cubeSql } from "../../src/explorer/cube/cube-sql.ts";
import { type Question, requestOf } from "../../src/explorer/question.ts";
import { snippets } from "../../src/explorer/request-code.ts";
import { hasBrowser, WITHOUT_BROWSER } from "../support/browser.ts";
import { type RunningService, startService } from "../support/service.ts";
import { cells, findings, pagesOf, summary } from "./browser-page.ts";

const { open } = pagesOf();
let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.stop());

interface Answer {
  readonly columns: readonly string[];
  readonly data: readonly (readonly unknown[])[];
}

async function answerOf(operation: "cube" | "query", body: unknown): Promise<Answer> {
  const response = await fetch(`${service.url}/v3/projects/shop/${operation}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as Answer;
  expect(response.status, JSON.stringify(answer)).toBe(200);
  return answer;
}

const SALES: CubeQuery = {
  cube: "sales",
  measures: ["revenue"],
  dimensions: [],
  timeDimensions: [],
  filters: [],
  orderBy: [],
};

test.each<Partial<CubeQuery>>([
  {},
  { dimensions: ["status"], orderBy: [{ member: "revenue", direction: "desc" }] },
  { dimensions: ["status"], orderBy: [{ member: "status", direction: "asc" }], limit: 2 },
  { timeDimensions: [{ dimension: "ordered_on", granularity: "quarter" }] },
  {
    timeDimensions: [{ dimension: "ordered_on", granularity: "month", dateRange: ["1995-01-31", "1995-03-31"] }],
    dimensions: ["status"],
    orderBy: [
      { member: "ordered_on__month", direction: "desc" },
      { member: "status", direction: "asc" },
    ],
  },
  { timeDimensions: [{ dimension: "ordered_on", dateRange: ["1994-12-31", "1994-12-31"] }] },
  ...(["eq", "neq", "gt", "gte", "lt", "lte"] as const).map((operator) => ({
    dimensions: ["status"],
    filters: [{ dimension: "status", operator, value: "O" }],
    orderBy: [{ member: "status", direction: "asc" as const }],
  })),
  { dimensions: ["status"], filters: [{ dimension: "status", operator: "in", value: ["O", "it's"] }] },
  { dimensions: ["status"], filters: [{ dimension: "status", operator: "not_in", value: ["O", "P"] }] },
  { filters: [{ dimension: "status", operator: "contains", value: "%" }] },
  { dimensions: ["status"], filters: [{ dimension: "status", operator: "starts_with", value: "F" }] },
  { filters: [{ dimension: "status", operator: "is_null" }] },
  { filters: [{ dimension: "status", operator: "is_not_null" }] },
  { dimensions: ["status"], filters: [{ dimension: "revenue", operator: "lt", value: "20000000.5" }] },
  { filters: [{ dimension: "ordered_on", operator: "gte", value: "1997-01-01" }] },
])("the SQL of %j has the answer of the structured query", async (members) => {
  const query = { ...SALES, ...members };
  const structured = await answerOf("cube", { cube: query });
  expect(await answerOf("query", { sql: cubeSql(query) })).toEqual(structured);
});

test.each<Question>([
  { kind: "sql", sql: 'SELECT status, count(*) AS "it\'s" FROM orders GROUP BY 1 ORDER BY 1' },
  {
    kind: "cube",
    cube: { ...SALES, dimensions: ["status"], orderBy: [{ member: "status", direction: "asc" }], limit: 2 },
  },
])("the page's call of an agent's tool has the answer of %j", async (question) => {
  const request = { origin: service.url, project: "shop", question, limit: 1000, hasToken: false };
  const { code = "" } = snippets(request).find(({ title }) => title === "MCP") ?? {};
  const { stdout } = await promisify(execFile)("bash", ["-c", code]);
  const { operation, body } = requestOf(question);
  const { columns, data } = await answerOf(operation, body);
  const told = JSON.parse(/\{.*\}/s.exec(stdout)?.[0] ?? "") as {
    readonly result: { readonly structuredContent: object };
  };
  const names = (listed: readonly unknown[]): unknown => JSON.stringify(listed);
  const content = told.result.structuredContent as {
    readonly rows: readonly unknown[];
    readonly columns: readonly { readonly name: string }[];
  };
  expect(names(content.rows)).toBe(names(data));
  expect(content.columns.map(({ name }) => name)).toEqual(columns);
});

describe.skipIf(!hasBrowser)(`the builder${hasBrowser ? "" : ` (${WITHOUT_BROWSER})`}`, () => {
  test("is filled by keyboard, and shows each cell as the API answers the structured query", async () => {
    const { page, faults } = await open(`${service.url}/explore/shop`);
    const asked: unknown[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/cube")) asked.push(request.postDataJSON());
    });
    await page.getByRole("button", { name: "Builder" }).focus();
    await page.keyboard.press("Enter");
    await page.getByLabel("status").focus();
    await page.keyboard.press("Space");
    await page.getByLabel("Granularity of ordered_on").selectOption("month");
    await page.getByLabel("First day of ordered_on").fill("1995-01-01");
    await page.getByLabel("Last day of ordered_on").fill("1995-06-30");
    await page.getByRole("button", { name: "Add a filter" }).press("Enter");
    await page.getByLabel("Operator of filter 1").selectOption("is one of");
    await page.getByRole("button", { name: "List values of status" }).press("Enter");
    await page.getByRole("button", { name: "F in filter 1" }).press("Enter");
    await page.getByRole("button", { name: "O in filter 1" }).press("Enter");
    await page.getByRole("button", { name: "Add an order" }).press("Enter");
    await page.getByLabel("Column 1 of the order").selectOption("revenue");
    await page.keyboard.press("Control+Enter");
    const query: CubeQuery = {
      ...SALES,
      dimensions: ["status"],
      timeDimensions: [{ dimension: "ordered_on", granularity: "month", dateRange: ["1995-01-01", "1995-06-30"] }],
      filters: [{ dimension: "status", operator: "in", value: ["F", "O"] }],
      orderBy: [{ member: "revenue", direction: "desc" }],
    };
    const { columns, data } = await answerOf("cube", { cube: query });
    await summary(page).getByText(`${data.length} rows`).waitFor();
    expect(asked.at(-1)).toEqual({ cube: query, limit: 1001 });
    expect(await page.locator("thead th bdi").allTextContents()).toEqual(columns);
    const shown = await cells(page);
    expect(shown.map((row) => row.map((cell) => cell.replaceAll(",", "")))).toEqual(data.map((row) => row.map(String)));
    expect(await findings(page)).toEqual([]);
    expect(await page.locator(".statement pre").textContent()).toBe(cubeSql(query));

    const link = page.url();
    const { page: other } = await open(link);
    await summary(other).getByText(`${data.length} rows`).waitFor();
    expect(await cells(other)).toEqual(shown);

    await page.getByRole("tab", { name: "Request" }).click();
    await page.getByText(`curl -s '${service.url}/v3/projects/shop/cube'`).waitFor();
    await page.getByRole("button", { name: "Continue in SQL" }).click();
    await page.locator(".cm-content", { hasText: "date_trunc" }).waitFor();
    await page.getByRole("tab", { name: "Result" }).click();
    await page.getByRole("button", { name: "Run" }).click();
    await summary(page).getByText(`${data.length} rows`).waitFor();
    expect(await cells(page)).toEqual(shown);
    expect(faults).toEqual([]);
  });

  test("gives each control a name of its own, and describes the cube beside its name", async () => {
    const filters = (["eq", "in", "eq", "in"] as const).map((operator) => ({
      dimension: "status",
      operator,
      value: operator === "in" ? ["F"] : "F",
    }));
    const query: CubeQuery = { ...SALES, filters, orderBy: [{ member: "revenue", direction: "desc" }] };
    const { page } = await open(`${service.url}/explore/shop#${new URLSearchParams({ cube: JSON.stringify(query) })}`);
    const cube = page.getByRole("combobox", { name: "Cube", exact: true });
    await cube.waitFor();
    const described = await cube.getAttribute("aria-describedby");
    expect(await page.locator(`#${described}`).textContent()).toBe("Sales by status and date.");
    await summary(page).getByText("1 row").waitFor();
    for (const place of [1, 2]) {
      await page.getByRole("button", { name: `List values of status for filter ${place}` }).press("Enter");
      await page.getByRole("button", { name: `F in filter ${place}` }).waitFor();
    }
    const told = await page.getByRole("region", { name: "Question" }).ariaSnapshot();
    const names = [...told.matchAll(/- (?:button|checkbox|combobox|spinbutton|textbox) "([^"]*)"/g)].map(
      ([, name]) => name,
    );
    expect(names).toEqual(
      expect.arrayContaining(["Limit", "Limit of the query", "List values of status for filter 4"]),
    );
    expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([]);
  });

  test("runs no query that lacks a member or a value, and shows what the service refuses", async () => {
    const lost = { ...SALES, measures: ["revenu"] };
    const { page } = await open(`${service.url}/explore/shop#${new URLSearchParams({ cube: JSON.stringify(lost) })}`);
    await page.locator("#panel").getByText('cube "sales" has no measure "revenu"').waitFor();
    await page.getByRole("checkbox", { name: "revenue" }).waitFor();
    await page.getByRole("combobox", { name: "Cube", exact: true }).selectOption("sales");
    await page.getByRole("button", { name: "Add a filter" }).click();
    await page.getByText("Choose a measure, a dimension or a time.").waitFor();
    expect(await page.getByRole("button", { name: "Run" }).isDisabled()).toBe(true);
    await page.getByRole("checkbox", { name: "revenue" }).check();
    await page.getByText("The filter on status needs a value.").waitFor();
    expect(await page.getByRole("button", { name: "Run" }).isDisabled()).toBe(true);
    await page.getByLabel("Operator of filter 1").selectOption("is not NULL");
    await page.getByRole("button", { name: "Run" }).click();
    await summary(page).getByText("1 row").waitFor();
  });
});
