/** `columnDtypes` of a request: the type names a caller may list per column (docs/spec/contract.md#column-types-on-request). */

const INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"] as const;
export type IntegerDtype = (typeof INTEGERS)[number];

/**
 * The type that a listed column is shown as. Integers keep every digit or the conversion is refused. `as …` is a type that no
 * other type converts to: the column must already have it.
 */
export type ColumnDtype = "string" | IntegerDtype | "float64" | "bool" | "timestamp" | "date" | `as ${string}`;

/** Column name → requested type. Names that the result does not have are ignored: clients send one map for many queries. */
export type ColumnDtypes = ReadonlyMap<string, ColumnDtype>;

const DTYPES: ReadonlyMap<string, ColumnDtype> = new Map([
  ["string", "string"],
  ["str", "string"],
  ["object", "string"],
  ["int32", "int32"],
  ["int64", "int64"],
  ["int", "int64"],
  ["float", "float64"],
  ["float64", "float64"],
  ["bool", "bool"],
  ["datetime64", "timestamp"],
  ["timestamp", "timestamp"],
  ["date", "date"],
  // Further type names that the dtypes of an answer can contain.
  ...INTEGERS.map((name) => [name, name] as const),
  ["double", "float64"],
  ["date32[day]", "date"],
]);

/** Timestamp names as they appear in the `dtypes` of an answer: with a unit and, for an instant, its zone. */
const TIMESTAMP = /^(?:timestamp|datetime64)\[(?:s|ms|us|ns)(?:, (?:tz=)?[\w+:/-]{1,64})?\]$/;
/** Other type names that can appear in `dtypes`. */
const OWN =
  /^(?:binary|null|month_day_nano_interval|decimal(?:128|256)\(\d{1,3}, \d{1,3}\)|time(?:32|64)\[(?:s|ms|us|ns)\]|(?:list|struct|map)<[^\n]{1,1000}>)$/;

function dtypeNamed(name: string): ColumnDtype | undefined {
  return DTYPES.get(name) ?? (TIMESTAMP.test(name) ? "timestamp" : OWN.test(name) ? `as ${name}` : undefined);
}

export type ParsedColumnDtypes =
  | { readonly ok: true; readonly dtypes: ColumnDtypes }
  /** `columns`: columns with an unknown type name. `allowed`: the known names, without those that take parameters. */
  | { readonly ok: false; readonly columns: readonly string[]; readonly allowed: readonly string[] };

/** Parses `columnDtypes` of a request. For an unknown type name the API answers 422 with `allowed`. Names are case-sensitive. */
export function parseColumnDtypes(requested: Readonly<Record<string, string>>): ParsedColumnDtypes {
  const dtypes = new Map<string, ColumnDtype>();
  const unknown: string[] = [];
  for (const [column, name] of Object.entries(requested)) {
    const dtype = dtypeNamed(name);
    if (dtype === undefined) unknown.push(column);
    else dtypes.set(column, dtype);
  }
  return unknown.length === 0 ? { ok: true, dtypes } : { ok: false, columns: unknown, allowed: [...DTYPES.keys()] };
}
