/** The engines that the corpus is run on: another joins by a row. */
import type { DataSource } from "../../src/planner/plan.ts";
import { REFUSED_BY_CLICKHOUSE } from "../parity/refused/clickhouse.ts";
import { refusedBy } from "../parity/refused/mysql.ts";
import { hasClickHouse } from "../support/clickhouse-server.ts";
import { hasMySql, MYSQL_FLAVORS, type MySqlFlavor } from "../support/mysql-server.ts";
import type { TestDatabase } from "../support/postgres.ts";
import { openClickHouseWith, openMySqlWith, openPostgresDatabase } from "../support/sources.ts";
import { hasSpark } from "../support/spark-server.ts";
import { hasTrino } from "../support/trino-server.ts";
import type { CorpusEngine, LoadedEngine } from "./engine.ts";
import { duckDbEngine, sparkEngine, trinoEngine } from "./file-engines.ts";
import { loadClickHouse, loadMySql } from "./loading.ts";
import { corpusManifest, type Naming } from "./manifest.ts";
import type { CorpusSchema } from "./tables.ts";

const MYSQL_TYPES: Readonly<Record<string, string>> = {
  "double precision": "double",
  jsonb: "json",
  real: "float",
  text: "varchar(255)",
  time: "time(6)",
  timestamp: "datetime(6)",
  uuid: "varchar(36)",
};

const MYSQL_LABELS: Readonly<Record<MySqlFlavor, string>> = { mysql: "MySQL", mariadb: "MariaDB" };

function mySqlEngine(flavor: MySqlFlavor): CorpusEngine {
  return {
    source: "mysql",
    label: MYSQL_LABELS[flavor],
    refused: refusedBy(flavor).corpus,
    settings: { textOrder: "code points" },
    tableReference: (table) => ({ table }),
    typeName: (type) => MYSQL_TYPES[type] ?? type,
    open: (schema, _reference, { typeName }) => openMySqlWith(flavor, (run) => loadMySql(run, schema, typeName)),
  };
}

const CLICKHOUSE_TYPES: Readonly<Record<string, string>> = {
  boolean: "Bool",
  smallint: "Int16",
  integer: "Int32",
  bigint: "Int64",
  text: "String",
  uuid: "UUID",
  date: "Date32",
  time: "Time64(6)",
  timestamp: "DateTime64(6)",
  timestamptz: "DateTime64(6, 'UTC')",
  "double precision": "Float64",
  real: "Float32",
};

/** An array cannot be NULL there: where one may be, it is a document. */
function clickHouseType(type: string, notNull: boolean): string {
  if (type.endsWith("[]")) {
    const list = `Array(${clickHouseType(type.slice(0, -2), true)})`;
    return notNull ? list : `Nullable(${list})`;
  }
  const own =
    CLICKHOUSE_TYPES[type] ?? type.replace(/^numeric/, "Decimal").replace(/^(varchar|char)\(\d+\)$/, "String");
  return notNull || own === type ? own : `Nullable(${own})`;
}

const clickHouseEngine: CorpusEngine = {
  source: "clickhouse",
  label: "ClickHouse",
  isSlow: true,
  refused: REFUSED_BY_CLICKHOUSE.corpus,
  // Texts of objects raise; and it divides for each row of a table before it makes rows of an array without elements.
  beyond: {
    "events/users/settings-as-rows": "the text of a json object or array",
    "events/sessions/campaign-channels": "Division by zero",
  },
  tableReference: (table) => ({ table }),
  typeName: clickHouseType,
  open: (schema, _reference, { typeName }) =>
    openClickHouseWith(({ query }) => loadClickHouse((sql) => query(sql), schema, typeName)),
};

/** Every engine of the corpus, and whether `npm run engines` has unpacked it. */
const ENGINES: readonly (readonly [engine: CorpusEngine, isUnpacked: boolean])[] = [
  [
    {
      source: "postgres",
      label: "PostgreSQL",
      refused: {},
      tableReference: (table) => ({ schema: "public", table }),
      typeName: (type) => type,
      open: (_schema, reference) => openPostgresDatabase(reference),
    },
    true,
  ],
  [duckDbEngine, true],
  ...MYSQL_FLAVORS.map((flavor) => [mySqlEngine(flavor), hasMySql(flavor)] as const),
  [clickHouseEngine, hasClickHouse()],
  [trinoEngine, hasTrino()],
  [sparkEngine, hasSpark()],
];

/** The engines that tests can open. */
export const CORPUS_ENGINES: readonly CorpusEngine[] = ENGINES.flatMap(([engine, isUnpacked]) =>
  isUnpacked ? [engine] : [],
);

/** The names of tables and types on `source`, whether its engine is unpacked or not; PostgreSQL's for sources without an engine. */
export function namingFor(source: DataSource): Naming {
  const [engine] = ENGINES.find(([each]) => each.source === source) ?? ENGINES[0]!;
  return engine;
}

export async function openEngines(
  schema: CorpusSchema,
  reference: TestDatabase,
  engines: readonly CorpusEngine[],
): Promise<readonly LoadedEngine[]> {
  return Promise.all(
    engines.map(async (engine) => ({
      engine,
      manifest: corpusManifest(schema, engine),
      ...(await engine.open(schema, reference, engine)),
    })),
  );
}
