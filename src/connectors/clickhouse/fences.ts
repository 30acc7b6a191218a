/**
 * Row rules on servers of ClickHouse's protocol: what keeps expressions off withheld rows was shown on ClickHouse itself, from the
 * release that `docs/access-rules.md` names. The service of its makers (`cloud_mode`) runs a build of its own, and others put words
 * behind the number (`25.8.9.20496.altinitystable`).
 */
import { ConnectorFailure } from "../failure.ts";

const FIRST = [26, 7] as const;

/** What a server is asked before a statement with fences. */
export const WHAT_IT_IS = "SELECT version(), toUInt8(getSetting('cloud_mode'))";

/** Whether that is the answer of a ClickHouse that is known to keep them. */
export function keepsFences(answer: string): boolean {
  const [, year, month] = /^(\d{1,4})\.(\d{1,4})\.\d{1,6}\.\d{1,9}\t0\n$/.exec(answer) ?? [];
  if (year === undefined || month === undefined) return false;
  const [firstYear, firstMonth] = FIRST;
  return Number(year) > firstYear || (Number(year) === firstYear && Number(month) >= firstMonth);
}

export function unfenced(): ConnectorFailure {
  return new ConnectorFailure("NOT_IMPLEMENTED", "Models with row rules cannot be read on this server.", {
    hint: `Row rules are supported on ClickHouse itself, from ${FIRST.join(".")} on: others are not known to keep what may fail away from withheld rows.`,
  });
}
