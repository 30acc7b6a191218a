/** `connectionInfo` of `duckdb`: the directory whose `*.duckdb` files are attached (contract §2.2, §2.4). */
import { type FileConnection, parseLocalFile } from "./local-file.ts";

/** `format` is accepted as the schema documents it and has nothing left to say: this source always attaches. */
export function parseDuckDb(connectionInfo: unknown): FileConnection {
  return { ...parseLocalFile(connectionInfo), format: "duckdb" };
}
