/** `columnDtypes` of a request: the type names a caller may list per column (contract §3.7). */

/** What a listed column is shown as. `int32` and `int64` keep every digit or refuse. */
export type ColumnDtype = "string" | "int32" | "int64" | "float64" | "bool" | "timestamp" | "date";

/** Column name → wanted type. Names the result does not have are ignored: clients send one map for many queries. */
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
]);

export type ParsedColumnDtypes =
  | { readonly ok: true; readonly dtypes: ColumnDtypes }
  /** `columns`: those with a type name that does not exist; `allowed`: every name that does. */
  | { readonly ok: false; readonly columns: readonly string[]; readonly allowed: readonly string[] };

/** Reads the request's member; the API answers 422 with `allowed` when a type name is unknown. Case counts. */
export function parseColumnDtypes(requested: Readonly<Record<string, string>>): ParsedColumnDtypes {
  const dtypes = new Map<string, ColumnDtype>();
  const unknown: string[] = [];
  for (const [column, name] of Object.entries(requested)) {
    const dtype = DTYPES.get(name);
    if (dtype === undefined) unknown.push(column);
    else dtypes.set(column, dtype);
  }
  return unknown.length === 0 ? { ok: true, dtypes } : { ok: false, columns: unknown, allowed: [...DTYPES.keys()] };
}
