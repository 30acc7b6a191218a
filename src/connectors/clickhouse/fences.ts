/**
 * Row rules on servers with ClickHouse's protocol. For ClickHouse itself, from the release in `docs/reference/access-rules.md` on, tests
 * show that the fences keep callers' expressions from being computed over excluded rows. ClickHouse Cloud (`cloud_mode`) has a
 * build of its own, and other builds add words to the version number (`25.8.9.20496.altinitystable`).
 */
import { ConnectorFailure } from "../failure.ts";

const FIRST = [26, 7] as const;

/** The query that identifies a server before a statement with fences. */
export const IDENTIFY_SERVER = "SELECT version(), toUInt8(getSetting('cloud_mode'))";

/** Whether the result identifies a ClickHouse that is known to respect fences. */
export function keepsFences(answer: string): boolean {
  const [, year, month] = /^(\d{1,4})\.(\d{1,4})\.\d{1,6}\.\d{1,9}\t0\n$/.exec(answer) ?? [];
  if (year === undefined || month === undefined) return false;
  const [firstYear, firstMonth] = FIRST;
  return Number(year) > firstYear || (Number(year) === firstYear && Number(month) >= firstMonth);
}

export function unfenced(): ConnectorFailure {
  return new ConnectorFailure("UNPROVEN_FENCE", "Models with row rules cannot be read on this server.", {
    hint: `Row rules are supported on ClickHouse itself, from ${FIRST.join(".")} on: others are not known to keep expressions that may fail away from excluded rows. The operator's setting ROW_RULES=besteffort runs such statements without a proof.`,
  });
}
