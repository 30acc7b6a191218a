/**
 * Statements for a source that is not run, on DuckDB over lists, by macros that say what the source's manual says of its functions. It
 * shows that the parts of a plan fit together, and is *not* the source.
 */
import { DuckDBInstance } from "@duckdb/node-api";
import type { Connector } from "../../../src/connectors/connector.ts";
import { ConnectorFailure } from "../../../src/connectors/failure.ts";
import { listOf, readList } from "../../../src/connectors/http/json-lists.ts";
import type { Column, Row, Value } from "../../../src/result/types.ts";
import type { OpenedSource } from "../../support/sources.ts";

/** How a source's functions are said on DuckDB. */
interface Manual {
  readonly settings?: readonly string[];
  readonly macros: readonly string[];
  readonly inDuckDb: (sql: string) => string;
  readonly tables: readonly string[];
}

/** The parenthesis that closes the one before `from`. */
export function closing(sql: string, from: number): number {
  let depth = 1;
  for (let at = from; at < sql.length; at++) {
    if (sql[at] === "(") depth++;
    if (sql[at] === ")" && --depth === 0) return at;
  }
  throw new Error(`no end: ${sql}`);
}

/** The text with each call of a function said otherwise. */
export function sayCalls(sql: string, name: string, say: (written: string) => string): string {
  const start = `${name}(`;
  let said = sql;
  for (let at = said.indexOf(start); at >= 0; at = said.indexOf(start)) {
    const end = closing(said, at + start.length);
    said = said.slice(0, at) + say(said.slice(at + start.length, end)) + said.slice(end + 1);
  }
  return said;
}

export async function openLists({ settings = [], macros, inDuckDb, tables }: Manual): Promise<OpenedSource> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  for (const setting of settings) await connection.run(setting);
  for (const macro of macros) await connection.run(`CREATE MACRO ${macro}`);
  for (const table of tables) await connection.run(inDuckDb(table));
  const connector: Pick<Connector, "query"> = {
    query: async ({ sql, columns: meant }) => {
      const reader = await connection.runAndReadAll(inDuckDb(sql)).catch((error: unknown) => {
        throw new ConnectorFailure("SOURCE_ERROR", `${String(error)}: ${inDuckDb(sql)}`);
      });
      const columns = meant.map(({ name, type }): Column => {
        if (type.kind === "integer") return { name, type: { kind: "int64" } };
        return { name, type: listOf(type) ?? { kind: type.kind === "boolean" ? "boolean" : "string" } };
      });
      const rows = reader.getRowsJson().map((row): Row => row.map((json, index) => valueOf(json, columns[index])));
      return { columns, batches: [rows] } as never;
    },
  };
  return {
    connector: connector as Connector,
    close: async () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

function valueOf(json: unknown, column: Column | undefined): Value {
  if (json === null || column === undefined) return null;
  const { type } = column;
  if (type.kind === "int64") return BigInt(String(json));
  if (type.kind !== "list") return json as Value;
  if (typeof json === "string") return readList(json, type);
  // Long numbers are texts there.
  const isText = type.element.kind === "string";
  const elements = (json as readonly unknown[]).map((each) =>
    !isText && typeof each === "string" ? each : JSON.stringify(each),
  );
  return readList(`[${elements.join(", ")}]`, type);
}
