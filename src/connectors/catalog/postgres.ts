/**
 * Tables, constraints, schemas and version of a PostgreSQL database, from the system catalogue (docs/spec/contract.md#metadata).
 * The information schema would be enough for most of it, but it pairs every column of a composite key with every other.
 */
import type { Row } from "../../result/types.ts";
import type { CallOptions, Connector } from "../connector.ts";
import { eachRowOf, text, textOrNull } from "./each-row.ts";
import type {
  CatalogAnswers,
  CatalogFilter,
  CatalogRequest,
  ColumnRecord,
  ConstraintRecord,
  SchemaRecord,
  TableRecord,
} from "./types.ts";

/** Returns records in order of schema, table and position: only those that the connection's user may read. */
export async function readPostgresCatalog<K extends CatalogRequest["kind"]>(
  source: Pick<Connector, "query">,
  request: Extract<CatalogRequest, { kind: K }>,
  options: CallOptions,
): Promise<CatalogAnswers[K]> {
  return (await read(source, request, options)) as CatalogAnswers[K];
}

async function read(source: Pick<Connector, "query">, request: CatalogRequest, options: CallOptions): Promise<unknown> {
  switch (request.kind) {
    case "tables":
      return toTables(await rows(source, tablesSql(request.filter, request.limit), options));
    case "constraints":
      return (await rows(source, constraintsSql(request.filter, request.limit), options)).map(toConstraint);
    case "schemas":
      return toSchemas(await rows(source, schemasSql(request.filter, request.limit), options));
    case "version":
      return text((await rows(source, "SELECT pg_catalog.version()", options))[0]?.[0]);
    default:
      return request satisfies never;
  }
}

async function rows(source: Pick<Connector, "query">, sql: string, options: CallOptions): Promise<Row[]> {
  const all: Row[] = [];
  await eachRowOf(source, options)(sql, (row) => all.push(row));
  return all;
}

/** Tables, partitioned and foreign tables, views and materialised views with a column that the user may read. */
const READABLE = `c.relkind IN ('r', 'p', 'f', 'v', 'm') AND pg_catalog.has_any_column_privilege(c.oid, 'SELECT')`;
/** `pg_` is reserved for the system: its catalogue, TOAST, other sessions' temporary tables. */
const NOT_SYSTEM = `n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%'`;

/** Views, foreign tables, and tables with a foreign one among their partitions or children. */
const MAY_FAIL = `(c.relkind IN ('v', 'f') OR EXISTS (
    WITH RECURSIVE heir AS (
      SELECT i.inhrelid FROM pg_catalog.pg_inherits i WHERE i.inhparent = c.oid
      UNION SELECT i.inhrelid FROM heir h JOIN pg_catalog.pg_inherits i ON i.inhparent = h.inhrelid
    )
    SELECT 1 FROM heir h JOIN pg_catalog.pg_class x ON x.oid = h.inhrelid WHERE x.relkind = 'f'))`;

function tablesSql(filter: CatalogFilter, limit: number | undefined): string {
  return `
WITH RECURSIVE picked AS (
  SELECT c.oid, n.nspname, c.relname, ${MAY_FAIL} AS may_fail
  FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE ${READABLE} AND ${NOT_SYSTEM} AND ${matches(filter, "n.nspname", "c.relname")}
  ORDER BY n.nspname COLLATE "C", c.relname COLLATE "C"${limitClause(limit)}
), base_type AS (
  SELECT t.oid AS declared, t.oid, t.typname, t.typtype, t.typbasetype FROM pg_catalog.pg_type t
  UNION ALL
  SELECT d.declared, t.oid, t.typname, t.typtype, t.typbasetype
  FROM base_type d JOIN pg_catalog.pg_type t ON d.typtype = 'd' AND t.oid = d.typbasetype
)
SELECT p.nspname::text, p.relname::text, pg_catalog.current_database()::text,
  pg_catalog.obj_description(p.oid, 'pg_class'),
  (SELECT pg_catalog.string_agg(k.attname::text, ',' ORDER BY u.position)
   FROM pg_catalog.pg_constraint pk
   CROSS JOIN LATERAL pg_catalog.unnest(pk.conkey) WITH ORDINALITY AS u(attnum, position)
   JOIN pg_catalog.pg_attribute k ON k.attrelid = pk.conrelid AND k.attnum = u.attnum
   WHERE pk.conrelid = p.oid AND pk.contype = 'p'),
  a.attname::text, t.typname::text, t.typtype = 'e', a.attnotnull, pg_catalog.col_description(p.oid, a.attnum),
  p.may_fail OR a.attgenerated = 'v'
FROM picked p
JOIN pg_catalog.pg_attribute a ON a.attrelid = p.oid AND a.attnum > 0 AND NOT a.attisdropped
  AND pg_catalog.has_column_privilege(p.oid, a.attnum, 'SELECT')
JOIN base_type t ON t.declared = a.atttypid AND t.typtype <> 'd'
ORDER BY p.nspname COLLATE "C", p.relname COLLATE "C", a.attnum`;
}

function toTables(found: readonly Row[]): TableRecord[] {
  const tables: TableRecord[] = [];
  let columns: ColumnRecord[] = [];
  let current: (Omit<TableRecord, "readMayFail"> & { readMayFail?: true }) | undefined;
  for (const [schema, table, catalog, description, key, column, type, isEnum, notNull, comment, mayFail] of found) {
    const last = current?.properties;
    if (last?.schema !== schema || last?.table !== table) {
      columns = [];
      current = {
        name: `${text(schema)}.${text(table)}`,
        columns,
        description: textOrNull(description),
        properties: { schema: text(schema), catalog: text(catalog), table: text(table), path: null },
        primaryKey: textOrNull(key) ?? "",
      };
      tables.push(current);
    }
    if (mayFail === true && current !== undefined) current.readMayFail = true;
    columns.push({
      name: text(column),
      type: isEnum === true ? "ENUM" : (TYPE_NAMES.get(text(type)) ?? "UNKNOWN"),
      notNull: notNull === true,
      description: textOrNull(comment),
      properties: null,
      nestedColumns: null,
    });
  }
  return tables;
}

/**
 * PostgreSQL's internal names → the service's (docs/spec/contract.md#type-names-of-metadata). Enumerated types, recognised by their
 * kind, are ENUM.
 */
const TYPE_NAMES: ReadonlyMap<string, string> = new Map([
  ["bool", "BOOL"],
  ["int2", "SMALLINT"],
  ["int4", "INTEGER"],
  ["int8", "BIGINT"],
  ["float4", "REAL"],
  ["float8", "DOUBLE"],
  ["numeric", "DECIMAL"],
  ["text", "TEXT"],
  ["citext", "TEXT"],
  ["varchar", "VARCHAR"],
  ["bpchar", "CHAR"],
  ["char", "CHAR"],
  ["name", "CHAR"],
  ["date", "DATE"],
  ["time", "TIME"],
  ["timetz", "TIME"],
  ["timestamp", "TIMESTAMP"],
  ["timestamptz", "TIMESTAMPTZ"],
  ["interval", "INTERVAL"],
  ["json", "JSON"],
  ["jsonb", "JSON"],
  ["bytea", "BYTEA"],
  ["uuid", "UUID"],
  ["inet", "INET"],
  ["cidr", "INET"],
  ["oid", "OID"],
  ["geometry", "GEOMETRY"],
  ["geography", "GEOGRAPHY"],
]);

/** `limit` and `filter` apply to the tables that have the keys. Copies of a key on partitions are omitted. */
function constraintsSql(filter: CatalogFilter, limit: number | undefined): string {
  return `
WITH picked AS (
  SELECT c.oid, n.nspname, c.relname
  FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE ${READABLE} AND ${NOT_SYSTEM} AND ${matches(filter, "n.nspname", "c.relname")}
    AND EXISTS (SELECT FROM pg_catalog.pg_constraint f WHERE f.conrelid = c.oid AND f.contype = 'f' AND f.conparentid = 0)
  ORDER BY n.nspname COLLATE "C", c.relname COLLATE "C"${limitClause(limit)}
)
SELECT p.nspname::text, p.relname::text, child.attname::text, n.nspname::text, c.relname::text, parent.attname::text
FROM picked p
JOIN pg_catalog.pg_constraint f ON f.conrelid = p.oid AND f.contype = 'f' AND f.conparentid = 0
JOIN pg_catalog.pg_class c ON c.oid = f.confrelid AND ${READABLE}
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace AND ${NOT_SYSTEM}
CROSS JOIN LATERAL ROWS FROM (pg_catalog.unnest(f.conkey), pg_catalog.unnest(f.confkey)) WITH ORDINALITY AS u(child, parent, position)
JOIN pg_catalog.pg_attribute child ON child.attrelid = f.conrelid AND child.attnum = u.child
JOIN pg_catalog.pg_attribute parent ON parent.attrelid = f.confrelid AND parent.attnum = u.parent
ORDER BY p.nspname COLLATE "C", p.relname COLLATE "C", f.conname COLLATE "C", u.position`;
}

function toConstraint(row: Row): ConstraintRecord {
  const [childSchema, childTable, childColumn, parentSchema, parentTable, parentColumn] = row.map(text);
  return {
    constraintName: `${childTable}_${childColumn}_${parentTable}_${parentColumn}`,
    constraintType: "FOREIGN KEY",
    constraintTable: `${childSchema}.${childTable}`,
    constraintColumn: childColumn ?? "",
    constraintedTable: `${parentSchema}.${parentTable}`,
    constraintedColumn: parentColumn ?? "",
  };
}

/** Returns at least one row, so that the database's name is known if no schema matches. */
function schemasSql(filter: CatalogFilter, limit: number | undefined): string {
  return `
SELECT d.name, s.nspname
FROM (SELECT pg_catalog.current_database()::text AS name) d
LEFT JOIN (
  SELECT n.nspname::text FROM pg_catalog.pg_namespace n
  WHERE ${NOT_SYSTEM} AND pg_catalog.has_schema_privilege(n.oid, 'USAGE') AND ${like("n.nspname", filter.schema)}
  ORDER BY n.nspname COLLATE "C"${limitClause(limit)}
) s ON true
WHERE ${like("d.name", filter.catalog)}
ORDER BY s.nspname COLLATE "C"`;
}

function toSchemas(found: readonly Row[]): SchemaRecord[] {
  const [first] = found;
  if (first === undefined) return [];
  return [{ name: text(first[0]), schemas: found.map((row) => row[1]).filter((schema) => typeof schema === "string") }];
}

function matches(filter: CatalogFilter, schema: string, table: string): string {
  const conditions = [
    like("pg_catalog.current_database()", filter.catalog),
    like(schema, filter.schema),
    like(table, filter.table),
  ];
  return conditions.join(" AND ");
}

/** Translates `*` and `?` to LIKE's `%` and `_`. Special characters of LIKE are escaped, and quotes of the literal doubled. */
function like(expression: string, pattern: string | undefined): string {
  if (pattern === undefined || pattern === "*") return "true";
  const translated = pattern
    .replaceAll(/[\\%_]/g, "\\$&")
    .replaceAll("*", "%")
    .replaceAll("?", "_");
  return `${expression}::text ILIKE '${translated.replaceAll("'", "''")}' ESCAPE '\\'`;
}

function limitClause(limit: number | undefined): string {
  return limit === undefined ? "" : ` LIMIT ${Math.max(0, Math.trunc(limit))}`;
}
