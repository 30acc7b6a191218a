/**
 * A request of each operation and its answer, over the files of `examples/tpch` that `npm start` serves.
 * `test/e2e/openapi-examples.test.ts` sends every request to the running service and compares the answer.
 */
import type { Json } from "./json-schema.ts";

export interface Example {
  readonly body?: Json;
  readonly answer?: unknown;
  /** The answer is the first entries of a longer list. */
  readonly isExcerpt?: true;
}

const MANIFEST = {
  catalog: "shop",
  schema: "public",
  models: [
    {
      name: "nations",
      tableReference: { table: "tpch/nation.parquet" },
      primaryKey: "id",
      columns: [
        { name: "id", type: "INTEGER", expression: "n_nationkey" },
        { name: "name", type: "VARCHAR", expression: "n_name" },
        { name: "region_id", type: "INTEGER", expression: "n_regionkey" },
      ],
    },
  ],
  cubes: [
    {
      name: "nation_cube",
      baseObject: "nations",
      measures: [{ name: "nations", expression: "count(*)", type: "BIGINT" }],
      dimensions: [{ name: "region_id", expression: "region_id", type: "INTEGER" }],
    },
  ],
};

const manifestStr = btoa(JSON.stringify(MANIFEST));
const connectionInfo = { url: "/", format: "parquet" };
const sql = "SELECT name FROM nations WHERE region_id = 3 ORDER BY name LIMIT 2";
const cube = {
  cube: "nation_cube",
  measures: ["nations"],
  dimensions: ["region_id"],
  filters: [{ dimension: "region_id", operator: "lte", value: 1 }],
  orderBy: [{ member: "region_id", direction: "asc" }],
};
const metadata = { connectionInfo: { url: "/tpch", format: "parquet" }, filterInfo: { table: "*region*" } };

const SENT =
  'SELECT nations.n_name AS name FROM "tpch/nation.parquet" AS nations WHERE nations.n_regionkey = 3 ORDER BY nations.n_name LIMIT 2';
const ANALYSIS = {
  selectItems: [
    {
      alias: null,
      expression: "name",
      properties: { includeFunctionCall: "false", includeMathematicalOperation: "false" },
      nodeLocation: { line: 1, column: 8 },
      exprSources: [
        { expression: "name", sourceDataset: "nations", sourceColumn: "name", nodeLocation: { line: 1, column: 8 } },
      ],
    },
  ],
  relation: { type: "TABLE", tableName: "nations", nodeLocation: { line: 1, column: 18 } },
  filter: {
    type: "EXPR",
    node: "(region_id = 3)",
    nodeLocation: { line: 1, column: 32 },
    exprSources: [
      {
        expression: "region_id",
        sourceDataset: "nations",
        sourceColumn: "region_id",
        nodeLocation: { line: 1, column: 32 },
      },
    ],
  },
  groupByKeys: [],
  sortings: [
    {
      expression: "name",
      ordering: "ASCENDING",
      nodeLocation: { line: 1, column: 55 },
      exprSources: [
        { expression: "name", sourceDataset: "nations", sourceColumn: "name", nodeLocation: { line: 1, column: 55 } },
      ],
    },
  ],
  isSubqueryOrCte: false,
};
const PLAN = {
  plannedSql: SENT,
  dialectSql: SENT,
  columns: [{ name: "name", type: "text", nullable: true }],
  reads: [{ model: "nations", columns: ["name", "region_id"], physical: { table: "tpch/nation.parquet" } }],
  lineage: [{ column: "name", sources: ["nations.name"] }],
  descriptions: [],
  warnings: [],
  rowRules: "none",
  session: [],
};

/** Over the project `shop` of `npm start`. */
function projectExamples(): Readonly<Record<string, Example>> {
  const named = "SELECT name FROM nations ORDER BY name LIMIT 2";
  const sent = 'SELECT nations.n_name AS name FROM "tpch/nation.parquet" AS nations ORDER BY nations.n_name LIMIT 2';
  return {
    projectQuery: {
      body: { sql: "SELECT name FROM nations WHERE name >= $1 ORDER BY name LIMIT 2", parameters: ["F"] },
      answer: { columns: ["name"], data: [["FRANCE"], ["GERMANY"]], dtypes: { name: "string" } },
    },
    projectCube: {
      body: { cube: { cube: "sales", measures: ["revenue"] } },
      answer: { columns: ["revenue"], data: [["371270747.15"]], dtypes: { revenue: "decimal128(38, 2)" } },
    },
    projectDryPlan: { body: { sql: named }, answer: sent },
    projectExplain: {
      body: { sql: named },
      answer: {
        plannedSql: sent,
        dialectSql: sent,
        columns: [{ name: "name", type: "text", nullable: true }],
        reads: [{ model: "nations", columns: ["name"], physical: { table: "tpch/nation.parquet" } }],
        lineage: [{ column: "name", sources: ["nations.name"] }],
        descriptions: [],
        origins: [0, 0, 24, 7, 7, 11, 29, 0, 24, 35, 17, 24, 67, 0, 46, 77, 34, 38, 91, 0, 46, 98, 45, 46],
        rowRules: "none",
        session: [{ name: "TimeZone", value: "UTC" }],
        warnings: [],
      },
    },
    projectValues: {
      body: { column: "customers.segment", term: "build" },
      answer: { values: ["BUILDING"], truncated: false },
    },
    projectSearch: {
      body: { question: "order total", limit: 2 },
      answer: {
        matches: [
          { kind: "model", name: "orders" },
          { kind: "column", name: "total", of: "orders", type: "numeric(15,2)" },
        ],
        more: 2,
      },
    },
    projectValidate: { body: { parameters: { modelName: "nations", columnName: "name" } } },
  };
}

/** By the ids of the route table. */
export const EXAMPLES: Readonly<Record<string, Example>> = {
  query: {
    body: { sql, manifestStr, connectionInfo },
    answer: { columns: ["name"], data: [["FRANCE"], ["GERMANY"]], dtypes: { name: "string" } },
  },
  dryPlan: { body: { sql, manifestStr }, answer: SENT },
  dryPlanForSource: { body: { sql, manifestStr }, answer: SENT },
  validate: { body: { manifestStr, connectionInfo, parameters: { modelName: "nations", columnName: "name" } } },
  explain: { body: { sql, manifestStr }, answer: PLAN },
  explainForSource: { body: { sql, manifestStr }, answer: { ...PLAN, session: [{ name: "TimeZone", value: "UTC" }] } },
  modelSubstitute: {
    body: { sql: `SELECT name FROM "tpch/nation.parquet"`, manifestStr, connectionInfo },
    answer: 'SELECT name FROM "shop"."public"."nations" AS "nation"',
  },
  analyseSql: { body: { sql, manifestStr }, answer: [ANALYSIS] },
  analyseSqls: { body: { sqls: [sql], manifestStr }, answer: [[ANALYSIS]] },
  cube: {
    body: { cube, manifestStr, connectionInfo },
    answer: {
      columns: ["region_id", "nations"],
      data: [
        [0, 5],
        [1, 5],
      ],
      dtypes: { region_id: "int32", nations: "int64" },
    },
  },
  cubeDryPlan: {
    body: { cube, manifestStr },
    answer:
      'SELECT nations.n_regionkey AS region_id, count(*) AS nations FROM "tpch/nation.parquet" AS nations WHERE nations.n_regionkey <= 1 GROUP BY nations.n_regionkey ORDER BY nations.n_regionkey ASC',
  },
  metadataTables: {
    body: metadata,
    answer: [
      {
        name: "region",
        columns: [
          {
            name: "r_regionkey",
            type: "INT",
            notNull: false,
            description: null,
            properties: null,
            nestedColumns: null,
          },
          { name: "r_name", type: "STRING", notNull: false, description: null, properties: null, nestedColumns: null },
          {
            name: "r_comment",
            type: "STRING",
            notNull: false,
            description: null,
            properties: null,
            nestedColumns: null,
          },
        ],
        description: null,
        properties: { schema: null, catalog: null, table: "region", path: "/tpch/region.parquet" },
        primaryKey: null,
      },
    ],
  },
  metadataConstraints: { body: metadata, answer: [] },
  metadataSchemas: { body: metadata, answer: [] },
  metadataVersion: { body: { connectionInfo }, answer: "Local File System" },
  functions: {
    answer: [
      {
        function_type: "scalar",
        name: "abs",
        return_type: "numeric",
        param_names: null,
        param_types: "numeric",
        description: "Size of a number, without its sign. Example: abs(price)",
      },
    ],
    isExcerpt: true,
  },
  function: {
    answer: [
      {
        function_type: "scalar",
        name: "abs",
        return_type: "numeric",
        param_names: null,
        param_types: "numeric",
        description: "Size of a number, without its sign. Example: abs(price)",
      },
    ],
  },
  knowledge: {},
  ...projectExamples(),
};
