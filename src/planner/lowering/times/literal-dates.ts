/**
 * `to_date('31.12.2024', 'DD.MM.YYYY')` of literals, evaluated during planning, for targets that cannot evaluate it as PostgreSQL
 * does.
 */
import { parseDateTime } from "../../datetimes.ts";
import { unsupported } from "../../diagnostics.ts";
import { typeName, values } from "../../syntax/build.ts";
import type { Call, TypedLiteral } from "../../syntax/tree.ts";
import { typeOrUnknown } from "../../types.ts";
import { readFormat } from "./formats.ts";

const PARTS: Readonly<Record<string, readonly [name: string, pattern: string]>> = {
  YYYY: ["year", "(\\d{4})"],
  MM: ["month", "(\\d{1,2})"],
  DD: ["day", "(\\d{1,2})"],
  HH24: ["hour", "(\\d{1,2})"],
  MI: ["minute", "(\\d{1,2})"],
  SS: ["second", "(\\d{1,2})"],
  US: ["microsecond", "(\\d{6})"],
};

/** Returns the literal, and refuses any other operand: engines parse texts by a format differently from PostgreSQL. */
export function readDate(node: Call, hint = "Write CAST(… AS date) of an ISO text."): TypedLiteral {
  const [value, format] = values(node);
  const read =
    value?.kind === "string" && format?.kind === "string" ? literalDate(value.value, format.value) : undefined;
  if (read === undefined || value === undefined) {
    throw unsupported("reading a date by a format", node.span, hint);
  }
  const isDay = typeOrUnknown(node).kind === "date";
  const name = typeName(isDay ? "date" : "timestamp", node);
  return {
    kind: "typed",
    typeName: name,
    value: isDay ? read.day : `${read.date} ${read.time ?? "00:00:00"}`,
    span: node.span,
    type: typeOrUnknown(node),
  };
}

/** Maximum length of the format. */
const MOST_FORMAT = 200;

function literalDate(value: string, format: string): ReturnType<typeof parseDateTime> {
  if (format.length > MOST_FORMAT) return undefined;
  const names: string[] = [];
  let pattern = "^";
  for (const token of readFormat(format)) {
    const [name, part] = token.kind === "pattern" && !token.bare ? (PARTS[token.pattern.toUpperCase()] ?? []) : [];
    if (token.kind === "text")
      pattern += token.text.replace(/[^\w]/g, (sign) => `\\u{${sign.charCodeAt(0).toString(16)}}`);
    else if (name === undefined || part === undefined || names.includes(name)) return undefined;
    else {
      names.push(name);
      pattern += part;
    }
  }
  const found = new RegExp(`${pattern}$`, "u").exec(value);
  if (found === null) return undefined;
  const parts = new Map(names.map((name, index) => [name, (found[index + 1] ?? "").padStart(2, "0")]));
  const of = (name: string, otherwise: string): string => parts.get(name) ?? otherwise;
  const clock = `${of("hour", "00")}:${of("minute", "00")}:${of("second", "00")}.${of("microsecond", "000000")}`;
  return parts.has("year")
    ? parseDateTime(`${of("year", "")}-${of("month", "01")}-${of("day", "01")} ${clock}`)
    : undefined;
}
