/**
 * Reads keys and values of maps in DuckDB's Arrow. DuckDB 1.4.3 sends several types as one Arrow type and distinguishes them by
 * the field's extension name, but omits the name for keys and values of maps: a BOOLEAN then looks like a TINYINT, for which its
 * buffer is too short. So the statement's types, as DESCRIBE returns them, are used.
 */
import { type ArrowField, readArrowStream } from "../arrow/stream.ts";
import { rowReader } from "../arrow/values.ts";
import { readTypeText, type TypeText } from "../duckdb/type-text.ts";
import { failureOfColumn, UnreadableValue } from "../unreadable-value.ts";

/** Type numbers of `Type` in `Schema.fbs`. */
const INTEGER = 2;
const BINARY = 4;
const FIXED_BYTES = 15;
const MAP = 17;

const EXTENSION = "ARROW:extension:name";

/** Extension names of DuckDB's types by their common Arrow type; undefined for the type without an extension name. */
const EXTENSIONS: ReadonlyMap<number, ReadonlyMap<string, string | undefined>> = new Map([
  [
    INTEGER,
    new Map([
      ["TINYINT", undefined],
      ["BOOLEAN", "arrow.bool8"],
    ]),
  ],
  [
    BINARY,
    new Map([
      ["BLOB", undefined],
      ["BIT", undefined],
      ["BIGNUM", "bignum"],
    ]),
  ],
  [
    FIXED_BYTES,
    new Map([
      ["UUID", "arrow.uuid"],
      ["HUGEINT", "hugeint"],
      ["UHUGEINT", "uhugeint"],
      ["TIME WITH TIME ZONE", "time_tz"],
    ]),
  ],
]);

/** Whether a key or a value of a map has a type that the schema does not define uniquely. */
export function hasUntypedEntries(fields: readonly ArrowField[]): boolean {
  return fields.some((field) => entriesOf(field).some(isUntyped) || hasUntypedEntries(field.children));
}

/**
 * The fields of a statement with the extension names that their types require. `described`: the Arrow stream of its DESCRIBE.
 * Throws `ConnectorFailure` if a type does not fit its field.
 */
export function entryTypes(fields: readonly ArrowField[], described: Uint8Array): readonly ArrowField[] {
  const { fields: columns, batches } = readArrowStream(described);
  const { batches: rows } = rowReader(columns);
  const types = batches.flatMap((batch) => [...rows(batch)].flat()).map(([, type]) => readTypeText(String(type)));
  return fields.map((field, index) => {
    try {
      return withEntryTypes(field, types[index]);
    } catch (error) {
      throw failureOfColumn(field.name, error, "VARCHAR");
    }
  });
}

/** Throws `UnreadableValue`. */
function withEntryTypes(field: ArrowField, type: TypeText | undefined, isEntry = false): ArrowField {
  if (field.typeId === MAP) {
    const [entries] = field.children;
    const [key, value] = entriesOf(field);
    if (entries === undefined || key === undefined || value === undefined || type?.children.length !== 2)
      throw unknown();
    const typed = [key, value].map((entry, index) => withEntryTypes(entry, type.children[index], true));
    return { ...field, children: [{ ...entries, children: typed }] };
  }
  if (isEntry && isUntyped(field)) {
    const extensions = EXTENSIONS.get(field.typeId);
    if (type === undefined || extensions?.has(type.name) !== true) throw unknown();
    const extension = extensions.get(type.name);
    if (extension === undefined) return field;
    return { ...field, metadata: new Map([[EXTENSION, extension]]) };
  }
  if (!hasUntypedEntries(field.children)) return field;
  if (type?.children.length !== field.children.length) throw unknown();
  return { ...field, children: field.children.map((child, index) => withEntryTypes(child, type.children[index])) };
}

function entriesOf({ typeId, children }: ArrowField): readonly ArrowField[] {
  return typeId === MAP ? (children[0]?.children ?? []) : [];
}

function isUntyped({ typeId, attribute, metadata }: ArrowField): boolean {
  if (metadata.has(EXTENSION)) return false;
  if (typeId === INTEGER) return attribute(4, 4, 0) === 8 && attribute(6, 1, 0) !== 0;
  return EXTENSIONS.has(typeId);
}

const unknown = (): UnreadableValue => new UnreadableValue("the type of a key or a value of its maps is not known");
