/** Structured queries over cubes (docs/spec/planner.md#cubes): what each part means, and what each mistake is told. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { planned, plannedCube } from "../../support/plan.ts";
import { openShops, refusal, type Shop, shopWith } from "./shop.ts";

const manifest = shopWith();

let shops: readonly Shop[] = [];
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ shops, stop } = await openShops());
});
afterAll(() => stop());

const month = (column: string) => `date_trunc('month', ${column})`;
const filter = (dimension: string, operator: string, value?: unknown) => ({
  measures: ["n"],
  filters: [{ dimension, operator, ...(value === undefined ? {} : { value }) }],
});
const counted = (condition: string) => `SELECT count(*) AS n FROM sale WHERE ${condition}`;

/** A date as the end includes its day, a timestamp as the end does not belong to the range. */
const RANGES: readonly (readonly [dimension: string, dateRange: readonly [string, string], condition: string])[] = [
  ["moment", ["2024-02-01", "2024-02-29 12:30:00"], "id = 2"],
  ["moment", ["2024-02-01", "2024-02-29T12:30:00.000001"], "id IN (2, 3)"],
  ["moment", ["2024-02-01", "2024-02-29"], "id IN (2, 3)"],
  ["moment", ["2024-01-31", "2024-01-31"], "id = 1"],
  ["moment", ["2024-02-29 12:30:01", "2024-03-01"], "id = 4"],
  ["moment", ["2024-02-01", "9999-12-31"], "id IN (2, 3, 4)"],
  ["moment", ["2024-02-01", "infinity"], "id IN (2, 3, 4)"],
  ["moment", ["2024-02-01", "20240301"], "id IN (2, 3, 4)"],
  ["moment", ["2024-02-01", "2024-03-01Z"], "id IN (2, 3, 4)"],
  ["day", ["2024-01-31", "2024-01-31"], "id = 1"],
  ["day", ["2023-12-31", "2024-02-28"], "id IN (1, 2, 5)"],
  ["day", ["2024-01-31", "2024-02-29 00:00:00"], "id IN (1, 2)"],
  ["day", ["2024-01-31", "2024-02-29 23:59:59.999"], "id IN (1, 2, 3)"],
  ["day", ["2024-01-31 00:00:00.001", "2024-02-29"], "id IN (2, 3)"],
  ["day", ["2024-01-31", "9999-12-31"], "id IN (1, 2, 3, 4)"],
  ["day", ["2024-01-31", "2023-01-01"], "false"],
];

/** The names of the columns are those of the SQL. */
const MEANS: readonly (readonly [about: string, query: Readonly<Record<string, unknown>>, sql: string])[] = [
  [
    "time dimensions, dimensions, measures in this order, by the time",
    {
      measures: ["n", "revenue"],
      dimensions: ["state"],
      timeDimensions: [{ dimension: "day", granularity: "month" }],
    },
    `SELECT ${month("sold")} AS day__month, state, count(*) AS n, sum(total) AS revenue FROM sale GROUP BY 1, 2 ORDER BY 1`,
  ],
  [
    "two granularities of one time dimension",
    { timeDimensions: ["year", "quarter"].map((granularity) => ({ dimension: "moment", granularity })) },
    "SELECT date_trunc('year', sold_at) AS moment__year, date_trunc('quarter', sold_at) AS moment__quarter FROM sale GROUP BY 1, 2 ORDER BY 1, 2",
  ],
  ...["week", "day", "hour", "minute"].map(
    (granularity) =>
      [
        `by ${granularity}`,
        { measures: ["n"], timeDimensions: [{ dimension: "moment", granularity }] },
        `SELECT date_trunc('${granularity}', sold_at) AS moment__${granularity}, count(*) AS n FROM sale GROUP BY 1 ORDER BY 1`,
      ] as const,
  ),
  [
    "a range with the day of its end",
    {
      measures: ["n"],
      timeDimensions: [{ dimension: "day", granularity: "month", dateRange: ["2024-01-31", "2024-02-29"] }],
    },
    `SELECT ${month("sold")} AS day__month, count(*) AS n FROM sale WHERE sold >= DATE '2024-01-31' AND sold <= DATE '2024-02-29' GROUP BY 1 ORDER BY 1`,
  ],
  ...RANGES.map(
    ([dimension, dateRange, condition]) =>
      [
        `${dimension} from ${dateRange.join(" to ")}`,
        { measures: ["n"], timeDimensions: [{ dimension, dateRange }] },
        counted(condition),
      ] as const,
  ),
  ["dimensions alone", { dimensions: ["country"] }, "SELECT DISTINCT customer.nation.name AS country FROM sale"],
  ["a time dimension among the dimensions", { dimensions: ["day"] }, "SELECT DISTINCT sold AS day FROM sale"],
  ["names that need quotes", { dimensions: ["Odd Name"] }, 'SELECT DISTINCT "Odd ""Col" AS "Odd Name" FROM sale'],
  ["eq", filter("state", "eq", "paid"), counted("id IN (2, 3, 6)")],
  ["eq with a quote", filter("buyer", "eq", "O'Brien"), counted("id IN (3, 6)")],
  ["eq with what looks like SQL", filter("state", "eq", "x' OR '1'='1"), counted("false")],
  ["eq with a boolean", filter("gift", "eq", true), counted("id IN (1, 5)")],
  ["eq with a text for a date", filter("day", "eq", "2024-01-31"), counted("id = 1")],
  ["neq leaves NULL out, as SQL does", filter("state", "neq", "paid"), counted("id IN (1, 5)")],
  ["in", filter("state", "in", ["new", "sent"]), counted("id IN (1, 5)")],
  ["not_in", filter("state", "not_in", ["new"]), counted("id IN (2, 3, 5, 6)")],
  ["gt", filter("day", "gt", "2024-02-29"), counted("id = 4")],
  ["gte", filter("day", "gte", "2024-02-29"), counted("id IN (3, 4)")],
  ["lt", filter("day", "lt", "2024-01-31"), counted("id = 5")],
  ["lte", filter("day", "lte", "2024-01-31"), counted("id IN (1, 5)")],
  ["contains takes % as itself", filter("buyer", "contains", "%_"), counted("id = 4")],
  ["contains takes a backslash as itself", filter("buyer", "contains", "off\\"), counted("id = 4")],
  ["contains minds case", filter("buyer", "contains", "ann"), counted("false")],
  ["starts_with takes _ as itself", filter("buyer", "starts_with", "_"), counted("false")],
  ["starts_with", filter("buyer", "starts_with", "O'B"), counted("id IN (3, 6)")],
  ["is_null over a path", filter("buyer", "is_null"), counted("id = 5")],
  ["is_not_null", filter("country", "is_not_null"), counted("id IN (1, 2, 3, 6)")],
  [
    "several filters all hold, those on measures after grouping",
    {
      measures: ["n"],
      dimensions: ["state"],
      filters: [
        { dimension: "size", operator: "eq", value: "large" },
        { dimension: "revenue", operator: "gte", value: "60.00" },
        { dimension: "average", operator: "lt", value: 90.25 },
      ],
    },
    "SELECT state, count(*) AS n FROM sale WHERE id IN (2, 3) GROUP BY 1 HAVING sum(total) >= 60 AND sum(total) / count(*) < 90.25",
  ],
  [
    "orderBy, limit and offset",
    {
      measures: ["revenue"],
      dimensions: ["state"],
      orderBy: [{ member: "revenue", direction: "desc" }, { member: "state" }],
      limit: 2,
      offset: 1,
    },
    "SELECT state, sum(total) AS revenue FROM sale GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 2 OFFSET 1",
  ],
  [
    "orderBy names a time dimension by itself or with its granularity",
    {
      measures: ["n"],
      timeDimensions: [
        { dimension: "day", granularity: "month" },
        { dimension: "moment", granularity: "year" },
      ],
      orderBy: [
        { member: "moment__year", direction: "ASC" },
        { member: "day", direction: "DESC" },
      ],
    },
    `SELECT ${month("sold")} AS day__month, date_trunc('year', sold_at) AS moment__year, count(*) AS n FROM sale GROUP BY 1, 2 ORDER BY 2, 1 DESC`,
  ],
  ["null as if absent", { measures: ["n"], dimensions: null, filters: null, limit: null }, counted("true")],
  [
    "numbers without exponents",
    {
      measures: ["n"],
      filters: [
        { dimension: "revenue", operator: "gt", value: 1e-7 },
        { dimension: "revenue", operator: "lt", value: 1.5e21 },
        { dimension: "revenue", operator: "gt", value: -2.5 },
      ],
    },
    counted("true"),
  ],
];

describe.each(["duckdb", "postgres"] as const)("on %s", (source) => {
  test.each(MEANS)("%s", async (_about, query, sql) => {
    const shop = shops.find(({ name }) => name === source);
    const plans = [plannedCube({ cube: "sales", ...query }, manifest, { source }), planned(sql, manifest, { source })];
    const [actual, expected] = await Promise.all(plans.map(async (plan) => (await shop?.rows(plan)) ?? []));
    const ordered = sql.includes("ORDER BY");
    expect(ordered ? actual : actual?.toSorted()).toEqual(ordered ? expected : expected?.toSorted());
    const names = plans.map((plan) => plan.columns.map(({ name }) => name));
    expect(names[0]).toEqual(names[1]);
  });
});

test("numbers are written out", () => {
  const plan = plannedCube({ cube: "sales", ...filter("revenue", "in", [1e-7, 1.5e21, -2.5, 0]) }, manifest);
  expect(plan.sql).toContain("IN (0.0000001, 1500000000000000000000, -2.5, 0)");
});

test("no place in the plan points into a text of the caller, who wrote none", () => {
  const cube = { cube: "sales", measures: ["n"], dimensions: ["state"] };
  expect(plannedCube(cube, manifest).origins).toEqual([]);
});

test("the row cap of the request meets the limit of the query", () => {
  const sql = (limit: number, cap: number) =>
    plannedCube({ cube: "sales", dimensions: ["state"], limit }, manifest, { limit: cap }).sql;
  expect(sql(5, 2)).toMatch(/LIMIT 2$/);
  expect(sql(2, 5)).toMatch(/LIMIT 2$/);
});

const INVALID = "CUBE_INVALID_QUERY";
const FIELD = "CUBE_FIELD_NOT_FOUND";
const WRONG: readonly (readonly [query: unknown, reason: string, message: string, suggestion?: string])[] = [
  ["sales", INVALID, "cube must be an object"],
  [{ measures: ["n"] }, INVALID, "cube.cube is missing"],
  [{ cube: 1, measures: ["n"] }, INVALID, "cube.cube must be a text"],
  [{ cube: "sale", measures: ["n"] }, "CUBE_NOT_FOUND", 'cube "sale" not found', "sales"],
  [{ cube: "Sales", measures: ["n"] }, "CUBE_NOT_FOUND", 'cube "Sales" not found', "sales"],
  [{ cube: "sales" }, INVALID, "names no measure, no dimension and no time dimension"],
  [{ cube: "sales", measures: "n" }, INVALID, "cube.measures must be a list"],
  [{ cube: "sales", measures: [null] }, INVALID, "cube.measures[0] is missing"],
  [{ cube: "sales", measures: ["n", "n"] }, INVALID, "cube.measures names n more than once"],
  [{ cube: "sales", measures: ["n"], filter: [] }, INVALID, 'unknown member "filter"', "filters"],
  [{ cube: "sales", measures: ["revenu"] }, FIELD, 'cube.measures[0]: cube "sales" has no measure "revenu"', "revenue"],
  [
    { cube: "sales", measures: ["state"] },
    FIELD,
    'cube.measures[0]: "state" is a dimension of cube "sales", not a measure',
  ],
  [{ cube: "sales", dimensions: ["stat"] }, FIELD, 'cube.dimensions[0]: cube "sales" has no dimension "stat"', "state"],
  [{ cube: "sales", dimensions: ["qty"] }, FIELD, 'has no dimension "qty"'],
  [{ cube: "sales", dimensions: ["n"] }, FIELD, '"n" is a measure of cube "sales", not a dimension'],
  [
    { cube: "sales", timeDimensions: [{ dimension: "state", granularity: "day" }] },
    FIELD,
    'cube.timeDimensions[0].dimension: "state" is a dimension of cube "sales", not a time dimension',
  ],
  [{ cube: "sales", timeDimensions: [{ dimension: "day" }] }, INVALID, "has neither granularity nor dateRange"],
  [
    { cube: "sales", timeDimensions: [{ dimension: "day", granularity: "months" }] },
    INVALID,
    "cube.timeDimensions[0].granularity must be one of year",
    "month",
  ],
  [
    { cube: "sales", timeDimensions: [{ dimension: "day", granularity: "day", dateRange: ["2024-01-01"] }] },
    INVALID,
    "cube.timeDimensions[0].dateRange must be two texts",
  ],
  [
    { cube: "sales", timeDimensions: [{ dimension: "day", granularity: "day", dateRange: ["2024", "x"] }] },
    "TYPE_MISMATCH",
    "cube.timeDimensions[0].dateRange: '2024' cannot be read as date",
  ],
  [
    { cube: "sales", timeDimensions: [1, 2].map(() => ({ dimension: "day", granularity: "day" })) },
    INVALID,
    "cube.timeDimensions names day by day more than once",
  ],
  [
    {
      cube: "sales",
      measures: ["n"],
      timeDimensions: [{ dimension: "day", dateRange: ["2024-01-01", "2025-01-01"], by: 1 }],
    },
    INVALID,
    'cube.timeDimensions[0] has an unknown member "by"',
  ],
  [{ cube: "sales", ...filter("stat", "eq", "x") }, FIELD, "cube.filters[0].dimension", "state"],
  [{ cube: "sales", ...filter("state", "equals", "x") }, INVALID, "cube.filters[0].operator must be one of eq"],
  [{ cube: "sales", ...filter("state", "eq") }, INVALID, "cube.filters[0].value is required"],
  [{ cube: "sales", ...filter("state", "gt", null) }, INVALID, "cube.filters[0].value is required"],
  [
    { cube: "sales", ...filter("state", "eq", ["x"]) },
    INVALID,
    "cube.filters[0].value must be a text, a number or a boolean",
  ],
  [{ cube: "sales", ...filter("state", "in", "x") }, INVALID, "cube.filters[0].value must be a list for in"],
  [{ cube: "sales", ...filter("state", "in", []) }, INVALID, "cube.filters[0].value must not be empty for in"],
  [{ cube: "sales", ...filter("state", "not_in", ["x", null]) }, INVALID, "cube.filters[0].value[1] is required"],
  [{ cube: "sales", ...filter("state", "contains", 5) }, INVALID, "cube.filters[0].value must be a text"],
  [
    { cube: "sales", ...filter("state", "is_null", false) },
    INVALID,
    "cube.filters[0].value has no meaning with is_null",
  ],
  [{ cube: "sales", ...filter("revenue", "eq", 2 ** 53) }, INVALID, "a number of more than 15 digits"],
  [{ cube: "sales", ...filter("day", "contains", "1") }, "TYPE_MISMATCH", "cube.filters[0]: LIKE takes text"],
  [{ cube: "sales", ...filter("day", "gt", 5) }, "TYPE_MISMATCH", "cube.filters[0]: "],
  [{ cube: "sales", measures: ["n"], orderBy: [{ member: "state" }] }, INVALID, '"state" is selected nowhere'],
  [
    { cube: "sales", measures: ["n"], orderBy: [{ member: "m" }] },
    FIELD,
    'cube.orderBy[0].member: cube "sales" has no member "m"',
  ],
  [
    {
      cube: "sales",
      timeDimensions: ["day", "year"].map((granularity) => ({ dimension: "day", granularity })),
      orderBy: [{ member: "day" }],
    },
    INVALID,
    '"day" is selected more than once',
  ],
  [
    { cube: "sales", measures: ["n"], orderBy: [{ member: "n", direction: "up" }] },
    INVALID,
    "cube.orderBy[0].direction must be one of asc, desc",
  ],
  [{ cube: "sales", measures: ["n"], limit: -1 }, INVALID, "cube.limit must be an integer"],
  [{ cube: "sales", measures: ["n"], offset: 1.5 }, INVALID, "cube.offset must be an integer"],
];

test.each(WRONG.map(([query, ...told]) => ({ query, told, as: JSON.stringify(query) })))("$as", ({ query, told }) => {
  const [reason, message, suggestion] = told;
  const error = refusal(() => plannedCube(query, manifest));
  expect([error.reason, error.message]).toEqual([reason, expect.stringContaining(message)]);
  expect(error.span).toBeUndefined();
  if (suggestion !== undefined) expect(error.suggestions[0]).toBe(suggestion);
});
