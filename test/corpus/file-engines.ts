/** The engines that are given the corpus as Parquet files, which DuckDB writes. */
import { REFUSED_BY_DUCKDB } from "../parity/refused/duckdb.ts";
import { REFUSED_BY_SPARK } from "../parity/refused/spark.ts";
import { REFUSED_BY_TRINO } from "../parity/refused/trino.ts";
import { openDuckDbFiles } from "../support/sources.ts";
import { openSparkTables } from "../support/spark.ts";
import { runOnSpark } from "../support/spark-jobs.ts";
import { copyIntoTrino, openTrinoSchema } from "../support/trino.ts";
import type { CorpusEngine } from "./engine.ts";
import { writeParquet } from "./loading.ts";
import type { CorpusSchema } from "./tables.ts";

const DUCKDB_TYPES: Readonly<Record<string, string>> = {
  text: "VARCHAR",
  "text[]": "VARCHAR[]",
  json: "JSON",
  jsonb: "JSON",
  "double precision": "DOUBLE",
  real: "FLOAT",
};

const duckDbType = (type: string): string =>
  DUCKDB_TYPES[type] ?? type.replace(/^(numeric|varchar)/, (name) => TYPE_WORDS[name] ?? name);

const TYPE_WORDS: Readonly<Record<string, string>> = { numeric: "DECIMAL", varchar: "VARCHAR" };

export const duckDbEngine: CorpusEngine = {
  source: "local_file",
  label: "DuckDB",
  refused: REFUSED_BY_DUCKDB.corpus,
  tableReference: (table) => ({ table: `${table}.parquet` }),
  typeName: duckDbType,
  open: async (schema) => {
    const files = await writeParquet(schema, duckDbType);
    const { connector, close } = await openDuckDbFiles(files.root);
    return { connector, close: () => close().finally(files.remove) };
  },
};

const filesOf = ({ tables }: CorpusSchema, root: string) =>
  tables.map(({ name }) => ({ name, file: `${root}/${name}.parquet` }));

/** Type names in its metadata; a column of intervals, which it cannot store, is text. */
const TRINO_TYPES: Readonly<Record<string, string>> = { jsonb: "JSON", "text[]": "ARRAY(VARCHAR)" };

export const trinoEngine: CorpusEngine = {
  source: "trino",
  label: "Trino",
  refused: REFUSED_BY_TRINO.corpus,
  beyond: REFUSED_BY_TRINO.beyond,
  isSlow: true,
  tableReference: (table) => ({ table }),
  typeName: (type) => TRINO_TYPES[type] ?? type,
  open: async (schema) => {
    const files = await writeParquet(schema, duckDbType);
    const { connector, run, close } = await openTrinoSchema();
    await copyIntoTrino(run, filesOf(schema, files.root)).finally(files.remove);
    return { connector, close };
  },
};

/** Its own names. Documents are texts there, and a model says that they are documents. */
const SPARK_TYPES: Readonly<Record<string, string>> = {
  text: "STRING",
  uuid: "STRING",
  "text[]": "ARRAY<STRING>",
  jsonb: "JSON",
  "double precision": "DOUBLE",
  real: "FLOAT",
  timestamp: "TIMESTAMP_NTZ",
  timestamptz: "TIMESTAMP_LTZ",
};

/** Types that Spark does not read from Parquet: it has neither times of day nor intervals of months and days. */
const TEXTS_ON_SPARK: ReadonlySet<string> = new Set(["time", "interval", "uuid"]);

const databaseOnSpark = (schema: string): string => `corpus_${schema}`;

export const sparkEngine: CorpusEngine = {
  source: "spark",
  label: "Spark",
  refused: REFUSED_BY_SPARK.corpus,
  beyond: REFUSED_BY_SPARK.beyond,
  isSlow: true,
  tableReference: (table, schema) => ({ schema: databaseOnSpark(schema), table }),
  typeName: (type) => SPARK_TYPES[type] ?? type.replace(/^numeric/, "DECIMAL"),
  open: async (schema) => {
    const files = await writeParquet(schema, (type) => (TEXTS_ON_SPARK.has(type) ? "VARCHAR" : duckDbType(type)));
    const database = databaseOnSpark(schema.name);
    const { connector, close } = await openSparkTables(database, filesOf(schema, files.root));
    return {
      connector,
      close: async () => {
        await close();
        await runOnSpark(`DROP DATABASE ${database} CASCADE`).finally(files.remove);
      },
    };
  },
};
