/** The answer of an engine itself to the statement of a quirk, and whether the quirk's file is still needed. */
import { expect } from "vitest";
import type { Connector } from "../../src/connectors/connector.ts";
import { drain, patient, plain } from "../connectors/contract.ts";
import type { Quirk } from "./quirks.ts";

const shown = (cell: unknown): string => (cell === null ? "NULL" : String(cell));

/** Rows as `1,NULL; 2,x`. */
export async function rowsOf(connector: Connector, sql: string): Promise<string> {
  const rows = await drain(await connector.query(plain(sql), patient()));
  return rows.map((row) => row.map(shown).join(",")).join("; ");
}

export async function expectDefect(connector: Connector, quirk: Quirk): Promise<void> {
  const { file, sql, wrong, right, attempts = 1 } = quirk;
  const asked = (): Promise<string | { readonly error: string }> =>
    rowsOf(connector, sql).catch((error: unknown) => ({ error: String((error as Error).message) }));
  let answer = await asked();
  for (let attempt = 1; attempt < attempts && answer === right; attempt++) answer = await asked();
  expect(answer, `the engine answers rightly: ${file} may go, unless a supported version needs it`).not.toBe(right);
  if (typeof wrong === "string") expect(answer).toBe(wrong);
  else expect(answer).toEqual({ error: expect.stringContaining(wrong.error) });
}
