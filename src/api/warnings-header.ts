/**
 * Warnings on the wire (docs/decisions/0005-warnings.md): in answers that list them, and in the header `x-warnings`, cut to a size
 * that proxies accept.
 */
import { type Position, positionOf } from "../service/failure.ts";
import type { PlannerWarning } from "../service/services.ts";

/** Proxies and servers limit all headers together to 8 KiB or more; this header uses half of the smallest limit. */
const MAX_LENGTH = 4096;

/**
 * `[{code, message, position?, hint?}, …]`; when not all fit, the last element is `{"code":"MORE","count":n}`. `undefined`
 * without warnings. `sql` is the caller's SQL, for positions.
 */
export function warningsHeader(
  warnings: readonly PlannerWarning[],
  sql: string | undefined,
  redact: (text: string) => string,
): string | undefined {
  if (warnings.length === 0) return undefined;
  const items = warningRecords(warnings, sql, redact).map((record) => ascii(JSON.stringify(record)));
  const whole = `[${items.join(",")}]`;
  if (whole.length <= MAX_LENGTH) return whole;

  let kept = "";
  let count = 0;
  for (const item of items) {
    const rest = `{"code":"MORE","count":${items.length - count - 1}}`;
    if (kept.length + item.length + rest.length + 3 > MAX_LENGTH) break;
    kept += `${item},`;
    count++;
  }
  return `[${kept}{"code":"MORE","count":${items.length - count}}]`;
}

interface WarningRecord {
  readonly code: string;
  readonly message: string;
  readonly position?: Position;
  readonly hint?: string;
}

/** Warnings as sent to the caller; `sql` is the caller's SQL, for positions. */
export function warningRecords(
  warnings: readonly PlannerWarning[],
  sql: string | undefined,
  redact: (text: string) => string,
): readonly WarningRecord[] {
  return warnings.map((warning) => {
    // An option's name comes from the connection; all other names come from the caller's SQL and manifest
    // (docs/decisions/0038-redaction.md).
    const said = warning.code === "UNKNOWN_OPTION" ? redact : (text: string): string => text;
    return {
      code: warning.code,
      message: said(warning.message),
      ...(warning.span !== undefined && sql !== undefined && { position: positionOf(sql, warning.span) }),
      ...(warning.hint !== undefined && { hint: said(warning.hint) }),
    };
  });
}

/** JSON allows every UTF-16 code unit as an escape; header values must be ASCII. */
function ascii(json: string): string {
  return json.replaceAll(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
