/** `to_number(x, '9,999.99')` for sources without it, by a cast of the text that the format admits. */
import { binary, cases, cast, text, unbound, values } from "../syntax/build.ts";
import type { Call, Expression } from "../syntax/tree.ts";
import { positional } from "./call-shapes.ts";

/** Digits of an exact number that every source can hold. */
const MOST_DIGITS = 38;

/**
 * `undefined` for formats with other patterns than 9, 0, one decimal point and group separators. A text with more digits than
 * the format, which PostgreSQL cuts, and any other text fails in the cast.
 */
export function writtenNumber(call: Call): Expression | undefined {
  const [value, format, ...others] = values(call);
  if (value === undefined || format?.kind !== "string" || others.length > 0) return undefined;
  const match = /^(?:FM)?([09,G]+)(?:[.D]([09]*))?$/i.exec(format.value);
  if (match === null) return undefined;
  const [, whole = "", fraction = ""] = match;
  const wholeDigits = whole.replaceAll(/[^09]/g, "").length;
  const digits = wholeDigits + fraction.length;
  if (wholeDigits === 0 || digits > MOST_DIGITS) return undefined;
  const at = unbound(call);
  const trimmed = positional(call, "btrim", [value]);
  const isGrouped = whole.length > wholeDigits;
  const plain = isGrouped ? positional(call, "replace", [trimmed, text(",", call), text("", call)]) : trimmed;
  const decimals = fraction.length > 0 ? `([.][0-9]{0,${fraction.length}})?` : "";
  const fits = positional(call, "regexp_like", [plain, text(`^[-+]?[0-9]{1,${wholeDigits}}${decimals}$`, call)]);
  const wrong = binary(text("no number of the format: ", call), "||", plain, at);
  return cast(cases([{ when: fits, then: plain }], wrong, at), "numeric", at, [digits, fraction.length]);
}
