/** Connection of `duckdb`: the directory whose `*.duckdb` files are attached (docs/spec/contract.md#connections). */
import { invalidConnection, type ParsedConnection } from "./connection.ts";
import { type FileFields, parseFileFields } from "./local-file.ts";

export interface DuckDbConnection extends FileFields {
  readonly source: "duckdb";
  /** Accepted for compatibility with the schema, and ignored: this source always attaches databases. */
  readonly format: string;
}

/** `raw` is `connectionInfo` as received. Throws `INVALID_CONNECTION`, naming members only. */
export function parseDuckDbConnection(raw: unknown): ParsedConnection<DuckDbConnection> {
  const { fields, warnings } = parseFileFields(raw);
  if (fields.csv !== undefined) {
    throw invalidConnection("csv", "describes CSV files, and this source attaches databases", "Use local_file.");
  }
  return { info: { source: "duckdb", ...fields, format: "duckdb" }, warnings };
}
