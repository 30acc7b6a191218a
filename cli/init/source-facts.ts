/**
 * Facts that metadata has no members for, by SQL of each source's own catalogue: keys by their constraints, unique keys, and tables
 * whose reading can fail.
 */
import { eachRowOf, text } from "../../src/connectors/catalog/each-row.ts";
import type { ConstraintRecord } from "../../src/connectors/catalog/types.ts";
import type { CallOptions, Connector } from "../../src/connectors/connector.ts";
import type { DataSource } from "../../src/planner/plan.ts";

/** `schema.table`, as JSON of both. */
export type TableKey = string;
export const tableKey = (schema: string | null | undefined, table: string | null | undefined): TableKey =>
  JSON.stringify([schema ?? "", table ?? ""]);

export interface ForeignKey {
  readonly child: TableKey;
  readonly columns: readonly string[];
  readonly parent: TableKey;
  readonly parentColumns: readonly string[];
}

export interface SourceFacts {
  readonly foreignKeys: readonly ForeignKey[];
  readonly uniqueKeys: ReadonlyMap<TableKey, readonly (readonly string[])[]>;
  /** Views and foreign tables. */
  readonly readMayFail: ReadonlySet<TableKey>;
  /** Columns that are never NULL, where metadata says nothing of it: table and column. */
  readonly notNull: ReadonlySet<string>;
  /** Types with their digits, by table and column: metadata says DECIMAL alone. */
  readonly decimals: ReadonlyMap<string, string>;
  /** Constraints that are left out, a sentence for each. */
  readonly omitted: readonly string[];
}

interface Queries {
  /** Constraint, child schema, child table, column, parent schema, parent table, parent column; in key order. */
  readonly foreignKeys?: string;
  /** Key, schema, table, column; in key order. Keys over expressions or a part of the rows are left out. */
  readonly uniqueKeys?: string;
  /** Schema, table. */
  readonly readMayFail?: string;
  /** Schema, table, column. */
  readonly notNull?: string;
  /** Schema, table, column, type with its digits. */
  readonly decimals?: string;
}

const NOT_SYSTEM_OF_MYSQL = "NOT IN ('mysql', 'information_schema', 'performance_schema', 'sys')";

const POSTGRES: Queries = {
  foreignKeys: `
SELECT f.oid::text, n.nspname::text, c.relname::text, a.attname::text, pn.nspname::text, p.relname::text, pa.attname::text
FROM pg_catalog.pg_constraint f
JOIN pg_catalog.pg_class c ON c.oid = f.conrelid JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
JOIN pg_catalog.pg_class p ON p.oid = f.confrelid JOIN pg_catalog.pg_namespace pn ON pn.oid = p.relnamespace
CROSS JOIN LATERAL ROWS FROM (pg_catalog.unnest(f.conkey), pg_catalog.unnest(f.confkey)) WITH ORDINALITY AS u(child, parent, position)
JOIN pg_catalog.pg_attribute a ON a.attrelid = f.conrelid AND a.attnum = u.child
JOIN pg_catalog.pg_attribute pa ON pa.attrelid = f.confrelid AND pa.attnum = u.parent
WHERE f.contype = 'f' AND f.conparentid = 0
ORDER BY n.nspname COLLATE "C", c.relname COLLATE "C", f.conname COLLATE "C", u.position`,
  uniqueKeys: `
SELECT i.indexrelid::text, n.nspname::text, c.relname::text, a.attname::text
FROM pg_catalog.pg_index i
JOIN pg_catalog.pg_class c ON c.oid = i.indrelid JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
CROSS JOIN LATERAL pg_catalog.unnest(i.indkey::pg_catalog.int2[]) WITH ORDINALITY AS u(attnum, position)
JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = u.attnum
WHERE i.indisunique AND i.indisvalid AND i.indpred IS NULL AND i.indexprs IS NULL AND u.position <= i.indnkeyatts
  AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%'
ORDER BY n.nspname COLLATE "C", c.relname COLLATE "C", i.indexrelid, u.position`,
  readMayFail: `
SELECT DISTINCT n.nspname::text, c.relname::text FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attgenerated = 'v'
WHERE c.relkind IN ('v', 'f') OR (c.relkind IN ('r', 'p') AND a.attrelid IS NOT NULL)`,
  decimals: `
SELECT n.nspname::text, c.relname::text, a.attname::text,
  'DECIMAL(' || (((a.atttypmod - 4) >> 16) & 65535)::text || ',' || ((a.atttypmod - 4) & 2047)::text || ')'
FROM pg_catalog.pg_attribute a
JOIN pg_catalog.pg_class c ON c.oid = a.attrelid JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE a.atttypid = 'pg_catalog.numeric'::pg_catalog.regtype AND a.atttypmod > 4 AND a.attnum > 0 AND NOT a.attisdropped
  AND ((a.atttypmod - 4) & 2047) <= (((a.atttypmod - 4) >> 16) & 65535)`,
};

const MYSQL: Queries = {
  foreignKeys: `
SELECT CONSTRAINT_NAME, TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, REFERENCED_TABLE_SCHEMA, REFERENCED_TABLE_NAME, REFERENCED_COLUMN_NAME
FROM information_schema.KEY_COLUMN_USAGE
WHERE REFERENCED_TABLE_NAME IS NOT NULL AND TABLE_SCHEMA ${NOT_SYSTEM_OF_MYSQL}
ORDER BY BINARY TABLE_SCHEMA, BINARY TABLE_NAME, BINARY CONSTRAINT_NAME, ORDINAL_POSITION`,
  uniqueKeys: `
SELECT INDEX_NAME, TABLE_SCHEMA, TABLE_NAME, IF(SUB_PART IS NULL, COLUMN_NAME, NULL)
FROM information_schema.STATISTICS WHERE NON_UNIQUE = 0 AND TABLE_SCHEMA ${NOT_SYSTEM_OF_MYSQL}
ORDER BY BINARY TABLE_SCHEMA, BINARY TABLE_NAME, BINARY INDEX_NAME, SEQ_IN_INDEX`,
  readMayFail: `
SELECT TABLE_SCHEMA, TABLE_NAME FROM information_schema.TABLES
WHERE TABLE_SCHEMA ${NOT_SYSTEM_OF_MYSQL} AND (TABLE_TYPE = 'VIEW' OR ENGINE IN ('FEDERATED', 'CONNECT', 'CSV', 'S3'))
UNION
SELECT TABLE_SCHEMA, TABLE_NAME FROM information_schema.COLUMNS
WHERE TABLE_SCHEMA ${NOT_SYSTEM_OF_MYSQL} AND EXTRA LIKE '%VIRTUAL%GENERATED%'`,
  decimals: `
SELECT TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, CONCAT('DECIMAL(', NUMERIC_PRECISION, ',', NUMERIC_SCALE, ')')
FROM information_schema.COLUMNS WHERE DATA_TYPE = 'decimal' AND TABLE_SCHEMA ${NOT_SYSTEM_OF_MYSQL}`,
};

const ATTACHED =
  "database_name IN (SELECT database_name FROM duckdb_databases() WHERE NOT internal AND path IS NOT NULL)";

const DUCKDB: Queries = {
  foreignKeys: `
SELECT database_name || ' ' || table_oid || ' ' || constraint_index, schema_name, table_name,
  unnest(constraint_column_names), schema_name, referenced_table, unnest(referenced_column_names)
FROM duckdb_constraints() WHERE constraint_type = 'FOREIGN KEY' AND ${ATTACHED}`,
  uniqueKeys: `
SELECT database_name || ' ' || table_oid || ' ' || constraint_index, schema_name, table_name, unnest(constraint_column_names)
FROM duckdb_constraints() WHERE constraint_type IN ('UNIQUE', 'PRIMARY KEY') AND ${ATTACHED}`,
  readMayFail: `SELECT schema_name, view_name FROM duckdb_views() WHERE NOT internal AND ${ATTACHED}`,
  decimals: `
SELECT schema_name, table_name, column_name, data_type FROM duckdb_columns()
WHERE NOT internal AND data_type SIMILAR TO 'DECIMAL\\([0-9]+,[0-9]+\\)' AND ${ATTACHED}`,
};

const CLICKHOUSE: Queries = {
  readMayFail: `
SELECT database, name FROM system.tables
WHERE engine NOT LIKE '%MergeTree' AND engine NOT IN ('Memory', 'Log', 'TinyLog', 'StripeLog', 'Set', 'Join', 'Null', 'MaterializedView')`,
  notNull: `
SELECT database, table, name FROM system.columns
WHERE type NOT LIKE 'Nullable(%' AND type NOT LIKE 'LowCardinality(Nullable(%' AND type NOT LIKE 'Variant(%'
  AND type NOT LIKE 'Dynamic%' AND type NOT LIKE 'JSON%'`,
  decimals: `
SELECT database, table, name, concat('DECIMAL(', toString(numeric_precision), ',', toString(numeric_scale), ')') FROM system.columns
WHERE match(type, '^(Nullable\\\\()?Decimal[0-9]*\\\\(') AND numeric_precision IS NOT NULL AND numeric_scale IS NOT NULL`,
};

const TRINO: Queries = {
  readMayFail: `SELECT table_schema, table_name FROM information_schema.tables WHERE table_type = 'VIEW' AND table_schema = current_schema`,
  decimals: `
SELECT table_schema, table_name, column_name, upper(data_type) FROM information_schema.columns
WHERE table_schema = current_schema AND data_type LIKE 'decimal(%'`,
};

const QUERIES: Partial<Record<DataSource, Queries>> = {
  postgres: POSTGRES,
  mysql: MYSQL,
  duckdb: DUCKDB,
  clickhouse: CLICKHOUSE,
  trino: TRINO,
};

/** `constraints`: foreign keys of the metadata, for sources without queries of their own. */
export async function readSourceFacts(
  source: DataSource,
  connector: Pick<Connector, "query">,
  options: CallOptions,
  constraints: readonly ConstraintRecord[],
): Promise<SourceFacts> {
  const queries = QUERIES[source] ?? {};
  const omitted: string[] = [];
  const rowsOf = async (sql: string | undefined, what: string): Promise<readonly (readonly string[])[]> => {
    const rows: (readonly string[])[] = [];
    if (sql === undefined) return rows;
    try {
      await eachRowOf(connector, options)(sql, (row) => rows.push(row.map(text)));
    } catch (error) {
      // A user may read tables and not the catalogue of constraints: the model then has no relationships, and says so.
      omitted.push(`${what} cannot be read: ${error instanceof Error ? error.message.split("\n")[0] : error}`);
      return [];
    }
    return rows;
  };
  const uniqueKeys = new Map<TableKey, string[][]>();
  for (const key of grouped(await rowsOf(queries.uniqueKeys, "unique keys"), 3)) {
    const [[, schema, table] = []] = key;
    const columns = key.map((row) => row[3] ?? "");
    // A key over an expression or a beginning of a text is no key of columns.
    if (columns.includes("")) continue;
    uniqueKeys.set(tableKey(schema, table), [...(uniqueKeys.get(tableKey(schema, table)) ?? []), columns]);
  }
  const foreignKeys =
    queries.foreignKeys === undefined
      ? fromConstraints(constraints, omitted)
      : grouped(await rowsOf(queries.foreignKeys, "foreign keys"), 3).map((key): ForeignKey => {
          const [[, schema, table, , parentSchema, parentTable] = []] = key;
          return {
            child: tableKey(schema, table),
            columns: key.map((row) => row[3] ?? ""),
            parent: tableKey(parentSchema, parentTable),
            parentColumns: key.map((row) => row[6] ?? ""),
          };
        });
  const failing = await rowsOf(queries.readMayFail, "kinds of tables");
  const notNull = await rowsOf(queries.notNull, "nullability");
  const decimals = await rowsOf(queries.decimals, "digits of decimals");
  return {
    foreignKeys,
    uniqueKeys,
    readMayFail: new Set(failing.map(([schema, table]) => tableKey(schema, table))),
    notNull: new Set(notNull.map((row) => JSON.stringify(row))),
    decimals: new Map(decimals.map((row) => [JSON.stringify(row.slice(0, 3)), row[3] ?? ""])),
    omitted,
  };
}

/** Runs of rows with equal first columns, which are in order. */
function grouped(rows: readonly (readonly string[])[], columns: number): readonly (readonly (readonly string[])[])[] {
  const groups: (readonly string[])[][] = [];
  let last: string | undefined;
  for (const row of rows) {
    const key = JSON.stringify(row.slice(0, columns));
    if (key === last) groups.at(-1)?.push(row);
    else groups.push([row]);
    last = key;
  }
  return groups;
}

/** Records name no constraint: two columns of one pair of tables may be a composite key, or two keys. */
function fromConstraints(constraints: readonly ConstraintRecord[], omitted: string[]): readonly ForeignKey[] {
  const pairs = new Map<string, ConstraintRecord[]>();
  for (const record of constraints) {
    const pair = JSON.stringify([record.constraintTable, record.constraintedTable]);
    pairs.set(pair, [...(pairs.get(pair) ?? []), record]);
  }
  return [...pairs.values()].flatMap((records): readonly ForeignKey[] => {
    const [first] = records;
    if (first === undefined) return [];
    if (records.length > 1) {
      omitted.push(
        `foreign keys of ${first.constraintTable} to ${first.constraintedTable} are left out: metadata does not say which columns belong together`,
      );
      return [];
    }
    return [
      {
        child: qualified(first.constraintTable),
        columns: [first.constraintColumn],
        parent: qualified(first.constraintedTable),
        parentColumns: [first.constraintedColumn],
      },
    ];
  });
}

/** The last two parts of a name. */
function qualified(name: string): TableKey {
  const parts = name.split(".");
  return tableKey(parts.at(-2) ?? "", parts.at(-1) ?? "");
}
