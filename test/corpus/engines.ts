/** The engines that the corpus is run on: another joins by a row. */
import type { Manifest } from "../../src/planner/index.ts";
import type { DataSource } from "../../src/planner/plan.ts";
import { REFUSED_BY_CLICKHOUSE } from "../parity/refused/clickhouse.ts";
import { REFUSED_BY_DUCKDB } from "../parity/refused/duckdb.ts";
import { refusedBy } from "../parity/refused/mysql.ts";
import { REFUSED_BY_POSTGRES } from "../parity/refused/postgres.ts";
import type { Refusals } from "../parity/refused/refusals.ts";
import { hasClickHouse } from "../support/clickhouse-server.ts";
import { hasMySql, MYSQL_FLAVORS, type MySqlFlavor } from "../support/mysql-server.ts";
import type { PlanSettings } from "../support/plan.ts";
import type { TestDatabase } from "../support/postgres.ts";
import {
  type OpenedSource,
  openClickHouseWith,
  openDuckDbFiles,
  openMySqlWith,
  openPostgresDatabase,
} from "../support/sources.ts";
import { loadClickHouse, loadMySql, writeParquet } from "./loading.ts";
import { corpusManifest, type Naming } from "./manifest.ts";
import type { CorpusSchema } from "./tables.ts";

export interface CorpusEngine extends Naming {
  readonly source: DataSource;
  readonly label: string;
  readonly refused: Refusals;
  /** What the rows are asked for with, where the engine's own order of texts is another than PostgreSQL's here. */
  readonly settings?: PlanSettings;
  /** Opens the schema's rows; `reference` is a PostgreSQL that has them already. */
  open(schema: CorpusSchema, reference: TestDatabase, naming: Naming): Promise<OpenedSource>;
}

/** An engine with a schema's rows on it. */
export interface LoadedEngine extends OpenedSource {
  readonly engine: CorpusEngine;
  readonly manifest: Manifest;
}

const DUCKDB_TYPES: Readonly<Record<string, string>> = {
  text: "VARCHAR",
  "text[]": "VARCHAR[]",
  json: "JSON",
  jsonb: "JSON",
  "double precision": "DOUBLE",
  real: "FLOAT",
};

/** An array is a document there, and who asks for elements is refused. */
const MYSQL_TYPES: Readonly<Record<string, string>> = {
  "double precision": "double",
  "text[]": "json",
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

/** An array cannot be NULL there: where one may be, it is a document, and who asks for elements is refused. */
function clickHouseType(type: string, notNull: boolean): string {
  if (type.endsWith("[]")) return notNull ? `Array(${clickHouseType(type.slice(0, -2), true)})` : "json";
  const own =
    CLICKHOUSE_TYPES[type] ?? type.replace(/^numeric/, "Decimal").replace(/^(varchar|char)\(\d+\)$/, "String");
  return notNull || own === type ? own : `Nullable(${own})`;
}

const clickHouseEngine: CorpusEngine = {
  source: "clickhouse",
  label: "ClickHouse",
  refused: REFUSED_BY_CLICKHOUSE.corpus,
  tableReference: (table) => ({ table }),
  typeName: clickHouseType,
  open: (schema, _reference, { typeName }) =>
    openClickHouseWith(({ query }) => loadClickHouse((sql) => query(sql), schema, typeName)),
};

export const CORPUS_ENGINES: readonly CorpusEngine[] = [
  {
    source: "postgres",
    label: "PostgreSQL",
    refused: REFUSED_BY_POSTGRES.corpus,
    tableReference: (table) => ({ schema: "public", table }),
    typeName: (type) => type,
    open: (_schema, reference) => openPostgresDatabase(reference),
  },
  {
    source: "local_file",
    label: "DuckDB",
    refused: REFUSED_BY_DUCKDB.corpus,
    tableReference: (table) => ({ table: `${table}.parquet` }),
    typeName: (type) => DUCKDB_TYPES[type] ?? type.replace(/^(numeric|varchar)/, (name) => TYPE_WORDS[name] ?? name),
    open: async (schema, _reference, { typeName }) => {
      const files = await writeParquet(schema, typeName);
      const opened = await openDuckDbFiles(files.root);
      return {
        connector: opened.connector,
        close: async () => {
          await opened.close();
          await files.remove();
        },
      };
    },
  },
  ...MYSQL_FLAVORS.filter(hasMySql).map(mySqlEngine),
  ...(hasClickHouse() ? [clickHouseEngine] : []),
];

const TYPE_WORDS: Readonly<Record<string, string>> = { numeric: "DECIMAL", varchar: "VARCHAR" };

export async function openEngines(schema: CorpusSchema, reference: TestDatabase): Promise<readonly LoadedEngine[]> {
  return Promise.all(
    CORPUS_ENGINES.map(async (engine) => ({
      engine,
      manifest: corpusManifest(schema, engine),
      ...(await engine.open(schema, reference, engine)),
    })),
  );
}
