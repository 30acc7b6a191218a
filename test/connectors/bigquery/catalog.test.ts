/**
 * Metadata against a FAKE whose information schemas say what they are told to: rows as the queries ask for them. The queries
 * themselves are checked for their views and names; nobody here runs them.
 */
import { describe, expect, it } from "vitest";
import { readBigQueryCatalog, unquoted } from "../../../src/connectors/catalog/bigquery.ts";
import type { CatalogFilter, CatalogRequest } from "../../../src/connectors/catalog/types.ts";
import { parseBigQueryConnection } from "../../../src/connectors/connection/bigquery.ts";
import { ConnectorFailure } from "../../../src/connectors/failure.ts";
import type { Row } from "../../../src/result/types.ts";
import { failureOf, patient } from "../contract.ts";
import { makeAccount } from "./rest.ts";

const { credentials } = makeAccount();
const DATASET = { project_id: "acme", dataset_id: "sales", credentials };
const PROJECT = { bigquery_type: "project", billing_project_id: "acme", region: "asia-east1", credentials };

const ORDERS: readonly Row[] = [
  [
    "orders",
    "address",
    3n,
    "YES",
    "address",
    "STRUCT<city STRING, geo STRUCT<x FLOAT64>>",
    "where to",
    '"all \\"orders\\"\\n"',
  ],
  ["orders", "address", 3n, "YES", "address.city", "STRING", null, '"all \\"orders\\"\\n"'],
  ["orders", "address", 3n, "YES", "address.geo", "STRUCT<x FLOAT64>", null, '"all \\"orders\\"\\n"'],
  ["orders", "address", 3n, "YES", "address.geo.x", "FLOAT64", null, '"all \\"orders\\"\\n"'],
  ["orders", "amount", 2n, "NO", "amount", "NUMERIC(10, 2)", null, '"all \\"orders\\"\\n"'],
  ["orders", "id", 1n, "NO", "id", "INT64", "key", '"all \\"orders\\"\\n"'],
  ["things", "tags", 1n, "YES", "tags", "ARRAY<STRING>", null, null],
];

type Told = readonly Row[] | ConnectorFailure;

/** Rows of each dataset's information schema, by `project.dataset`; API listings, by path. */
function fake(raw: object, views: Readonly<Record<string, Told>>, paths: Readonly<Record<string, object>> = {}) {
  const sent: string[] = [];
  const listed: string[] = [];
  const source = {
    connection: parseBigQueryConnection(raw).info,
    async query({ sql }: { readonly sql: string }) {
      sent.push(sql);
      const names = new Set(
        [...sql.matchAll(/`([^`]+)`\.`([^`]+)`\.INFORMATION_SCHEMA\./g)].map(([, a, b]) => `${a}.${b}`),
      );
      expect(names.size).toBe(1);
      const told =
        views[[...names][0] ?? ""] ??
        new ConnectorFailure("SOURCE_INVALID_SQL", "Not found: Dataset", { engineCode: "notFound" });
      if (told instanceof ConnectorFailure) throw told;
      async function* batches() {
        for (const row of told as readonly Row[]) yield [row];
      }
      return { columns: [], batches: batches(), close: async () => undefined };
    },
    async list(path: string, parameters: Readonly<Record<string, string>>) {
      const key = parameters["pageToken"] === undefined ? path : `${path}?${parameters["pageToken"]}`;
      listed.push(key);
      const told = paths[key] ?? new ConnectorFailure("SOURCE_INVALID_SQL", "Not found", { engineCode: "notFound" });
      if (told instanceof ConnectorFailure) throw told;
      return told;
    },
  };
  const read = <K extends CatalogRequest["kind"]>(kind: K, filter: CatalogFilter = {}, limit?: number) =>
    readBigQueryCatalog<K>(source, { kind, filter, limit } as Extract<CatalogRequest, { kind: K }>, patient());
  return { sent, listed, read };
}

const of = (...projects: readonly [string, ...string[]][]): CatalogFilter => ({
  projects: projects.map(([projectId, ...datasetIds]) => ({ projectId, datasetIds })),
});
const column = (name: string, type: string, order: number, change: object = {}) => ({
  name,
  type,
  notNull: false,
  description: null,
  properties: { column_order: order },
  nestedColumns: null,
  ...change,
});

describe("tables", () => {
  it("of a dataset, with what is nested in a column listed under it by its whole path", async () => {
    const { read, sent } = fake(DATASET, { "acme.sales": ORDERS });
    expect(await read("tables")).toEqual([
      {
        name: "orders",
        description: 'all "orders"\n',
        primaryKey: "",
        properties: { schema: "sales", catalog: "acme", table: "orders", path: null },
        columns: [
          column("address", "STRUCT<city STRING, geo STRUCT<x FLOAT64>>", 3, {
            description: "where to",
            nestedColumns: [
              column("address.city", "STRING", 3),
              column("address.geo", "STRUCT<x FLOAT64>", 3),
              column("address.geo.x", "FLOAT64", 3),
            ],
          }),
          column("amount", "NUMERIC(10, 2)", 2, { notNull: true }),
          column("id", "INT64", 1, { notNull: true, description: "key" }),
        ],
      },
      {
        name: "things",
        description: null,
        primaryKey: "",
        properties: { schema: "sales", catalog: "acme", table: "things", path: null },
        columns: [column("tags", "ARRAY<STRING>", 1)],
      },
    ]);
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatch(/COLUMNS[\s\S]*COLUMN_FIELD_PATHS[\s\S]*ORDER BY c.table_name, p.field_path$/);
  });

  it.each<[CatalogFilter, readonly string[]]>([
    [of(["acme", "crm"]), ["orders", "things"]],
    [of(["acme", "crm", "crm"], ["acme", "crm"]), ["orders", "things"]],
    [of(["acme", "crm", "ops"]), ["crm.orders", "crm.things", "ops.things"]],
    [of(["acme", "crm"], ["other", "ops"]), ["acme.crm.orders", "acme.crm.things", "other.ops.things"]],
    [{ ...of(["acme", "crm", "ops"]), schema: "o*" }, ["ops.things"]],
    [{ ...of(["acme", "crm"]), table: "none" }, []],
  ])("of %o are named as short as tells them apart", async (filter, names) => {
    const views = { "acme.crm": ORDERS, "acme.ops": ORDERS.slice(6), "other.ops": ORDERS.slice(6) };
    const { read } = fake(PROJECT, views);
    expect((await read("tables", filter)).map(({ name }) => name)).toEqual(names);
  });

  it("are as many as are asked for, each whole", async () => {
    const { read } = fake(DATASET, { "acme.sales": ORDERS });
    const [only, ...others] = await read("tables", {}, 1);
    expect([only?.columns.length, others]).toEqual([3, []]);
  });

  it.each<[CatalogFilter, string]>([
    [{}, "At least one project and dataset must be specified"],
    [of(), "At least one project and dataset must be specified"],
    [of(["", "crm"]), "project id should not be empty"],
    [of(["acme"]), "dataset ids should not be empty"],
    [of(["acme", "crm", ""]), "dataset id should not be empty"],
    [of(["acme`; DROP TABLE x", "crm"]), "filterInfo.projects: projectId does not name a project"],
    [of(["acme", "crm`.x"]), "filterInfo.projects: datasetIds do not all name a dataset"],
    [of(["acme", "crm.x"]), "filterInfo.projects: datasetIds do not all name a dataset"],
  ])("of %o are refused: %s", async (filter, message) => {
    const { read, sent } = fake(PROJECT, {});
    for (const kind of ["tables", "constraints"] as const) {
      expect(await failureOf(read(kind, filter))).toMatchObject({ reason: "INVALID_CONNECTION", message });
    }
    expect(sent).toEqual([]);
  });

  it("that nobody may see are passed over, unless there are no others", async () => {
    const denied = new ConnectorFailure("SOURCE_ERROR", "Access Denied", { engineCode: "accessDenied" });
    const { read } = fake(PROJECT, { "acme.crm": denied, "acme.ops": ORDERS.slice(6) });
    expect((await read("tables", of(["acme", "crm", "ops"]))).map(({ name }) => name)).toEqual(["ops.things"]);
    expect(await failureOf(read("tables", of(["acme", "crm", "gone"])))).toMatchObject({
      reason: "NO_TABLES",
      message:
        "No tables found in the specified dataset. Please check your permissions and name of dataset and project.",
    });
    expect((await failureOf(fake(DATASET, { "acme.sales": [] }).read("tables"))).reason).toBe("NO_TABLES");
    expect((await failureOf(fake(DATASET, { "acme.sales": denied }).read("tables"))).message).toBe("Access Denied");
  });

  it("in another region are told to be there", async () => {
    const paths = { "projects/bigquery-public-data/datasets/austin_311": { location: "US" } };
    const { read } = fake(PROJECT, {}, paths);
    expect(await failureOf(read("tables", of(["bigquery-public-data", "austin_311"])))).toMatchObject({
      reason: "INVALID_CONNECTION",
      message:
        "Dataset bigquery-public-data.austin_311 is in region us, which does not match the connection region asia-east1.",
    });
  });

  it("whose project cannot be asked at all are not passed over", async () => {
    const failure = new ConnectorFailure("AUTHENTICATION", "bigquery.jobs.create", { engineCode: "accessDenied" });
    const { read } = fake(PROJECT, { "acme.crm": failure });
    expect((await failureOf(read("tables", of(["acme", "crm"])))).reason).toBe("AUTHENTICATION");
  });
});

describe("constraints", () => {
  const KEYS: readonly Row[] = [
    ["orders", "shop", "shops", "id"],
    ["orders", "country", "shops", "country"],
    ["things", "order", "orders", "id"],
  ];

  it("of a dataset are told pair by pair", async () => {
    const { read } = fake(DATASET, { "acme.sales": KEYS });
    expect((await read("constraints"))[1]).toEqual({
      constraintName: "orders_country_shops_country",
      constraintType: "FOREIGN KEY",
      constraintTable: "orders",
      constraintColumn: "country",
      constraintedTable: "shops",
      constraintedColumn: "country",
    });
    expect((await read("constraints", {}, 1)).map(({ constraintTable }) => constraintTable)).toEqual([
      "orders",
      "orders",
    ]);
  });

  it("of several projects are named with all parts", async () => {
    const { read } = fake(PROJECT, { "acme.crm": KEYS.slice(0, 1), "other.ops": [] });
    expect(await read("constraints", of(["acme", "crm"], ["other", "ops"]))).toMatchObject([
      {
        constraintName: "acme_crm_orders_shop_acme_crm_shops_id",
        constraintTable: "acme.crm.orders",
        constraintedTable: "acme.crm.shops",
      },
    ]);
  });
});

describe("schemas", () => {
  const datasets = (...names: readonly (readonly [string, string])[]) => ({
    datasets: names.map(([datasetId, location]) => ({ datasetReference: { datasetId }, location })),
  });

  it("of a dataset are itself, which nobody is asked for", async () => {
    const { read, listed } = fake(DATASET, {});
    expect(await read("schemas")).toEqual([{ name: "acme", schemas: ["sales"] }]);
    expect(await read("schemas", { schema: "x" })).toEqual([]);
    expect(listed).toEqual([]);
  });

  const PATHS = {
    "projects/acme/datasets": { ...datasets(["crm", "asia-east1"], ["far", "US"]), nextPageToken: "2" },
    "projects/acme/datasets?2": datasets(["finance", "asia-east1"]),
    "projects/other/datasets": datasets(["ops", "ASIA-EAST1"]),
    "projects/bigquery-public-data/datasets": datasets(["austin_311", "US"], ["here", "asia-east1"]),
  };

  it("of a project are those of its region, of others that are named, and of Google's own", async () => {
    const { read } = fake(PROJECT, {}, PATHS);
    expect(await read("schemas", of(["other"], ["gone"]))).toEqual([
      { name: "acme", schemas: ["crm", "finance"] },
      { name: "other", schemas: ["ops"] },
      { name: "bigquery-public-data", schemas: ["here"] },
    ]);
  });

  it("are as many as are asked for, all together", async () => {
    const { read, listed } = fake(PROJECT, {}, PATHS);
    expect(await read("schemas", {}, 1)).toEqual([{ name: "acme", schemas: ["crm"] }]);
    expect(listed).toEqual(["projects/acme/datasets"]);
  });

  it("on a page that repeats are no answer", async () => {
    const page = { ...datasets(["crm", "asia-east1"]), nextPageToken: "2" };
    const { read } = fake(PROJECT, {}, { "projects/acme/datasets": page, "projects/acme/datasets?2": page });
    expect((await failureOf(read("schemas"))).reason).toBe("UPSTREAM_PROTOCOL");
  });
});

it("the version is that there is none", async () => {
  expect(await fake(DATASET, {}).read("version")).toBe("Follow BigQuery release version");
});

it.each([
  ['"plain"', "plain"],
  ['"it\'s \\"so\\"\\n\\t\\\\"', 'it\'s "so"\n\t\\'],
  ['"\\u00e9\\U0001d4b3\\x41\\101"', "é𝒳AA"],
  ["NULL", "NULL"],
])("%s, as SQL writes a text, is %j", (literal, text) => {
  expect(unquoted(literal)).toBe(text);
});
