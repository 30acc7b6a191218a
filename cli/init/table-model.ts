/** A table's record of the catalogue → a model, with names that SQL reads without quotes. */
import type { ColumnRecord, TableRecord } from "../../src/connectors/catalog/types.ts";
import { targetOf } from "../../src/planner/dialects/targets.ts";
import type { DataSource } from "../../src/planner/plan.ts";
import { inQuotes, quotedName } from "../../src/planner/syntax/quoting.ts";
import type { ColumnJson, ModelJson, TableReferenceJson } from "./manifest-json.ts";

export interface ModelSettings {
  readonly name: string;
  readonly table: TableReferenceJson;
  readonly source: DataSource;
  /** `all`: every name in snake case; `if needed`: only names that SQL reads with quotes only. */
  readonly renames: "all" | "if needed";
}

export function modelOfTable(record: TableRecord, { name, table, source, renames }: ModelSettings): ModelJson {
  const names = columnNames(record.columns, renames);
  const columns = record.columns.map((column) => columnOf(column, names.get(column.name) ?? column.name, source));
  const key = keyColumns(record).map((column) => names.get(column) ?? column);
  const [only] = key;
  return {
    name,
    tableReference: table,
    ...described(record.description),
    columns,
    ...(only !== undefined && { primaryKey: key.length === 1 ? only : key }),
    ...(record.readMayFail === true && { readMayFail: true }),
  };
}

/** Names of columns in the model, by their names in the table. */
export function columnNames(
  columns: readonly Pick<ColumnRecord, "name">[],
  renames: ModelSettings["renames"],
): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  return new Map(
    columns.map(({ name }) => {
      const isPlain = renames === "if needed" && /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name);
      return [name, freeName(isPlain ? name : identifierOf(name), taken)] as const;
    }),
  );
}

/** Columns of the primary key; a name may contain a comma. */
function keyColumns({ primaryKey, columns }: TableRecord): readonly string[] {
  if (primaryKey === null || primaryKey === "") return [];
  if (columns.some(({ name }) => name === primaryKey)) return [primaryKey];
  const names = primaryKey.split(",");
  return names.every((name) => columns.some((column) => column.name === name)) ? names : [];
}

function columnOf({ name, type, notNull, description }: ColumnRecord, own: string, source: DataSource): ColumnJson {
  return {
    name: own,
    type: type === "" ? "UNKNOWN" : type,
    ...(own !== name && { expression: quoted(name, source) }),
    ...(notNull && { notNull: true }),
    ...described(description),
  };
}

const described = (text: string | null): { readonly description?: string } =>
  text === null || text.trim() === "" ? {} : { description: text };

/** An identifier in the source's own SQL. A name that the source cannot quote has no text. */
function quoted(name: string, source: DataSource): string {
  const text = quotedName(name, targetOf(source).print.lexical);
  return "text" in text ? text.text : inQuotes(name);
}

/** `OrderID` → `order_id`, `Unit Price` → `unit_price`. Letters of every script stay. */
export function identifierOf(name: string): string {
  const parts = name
    .normalize("NFC")
    .replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1_$2")
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1_$2")
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, "_")
    .replaceAll(/^_+|_+$/g, "")
    .toLowerCase();
  if (parts === "") return "column";
  return /^[\p{L}_]/u.test(parts) ? parts : `_${parts}`;
}

/** The name, or the name with a number. Names that differ in case alone are equal in SQL. */
export function freeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let number = 2; taken.has(free.toLowerCase()); number++) free = `${name}_${number}`;
  taken.add(free.toLowerCase());
  return free;
}
