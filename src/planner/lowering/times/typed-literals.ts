/** Literals of dates and times, for targets that accept fewer forms of them than PostgreSQL. */
import { type DateTime, isUtc, parseDateTime, parseTimeOfDay } from "../../datetimes.ts";
import { unsupported } from "../../diagnostics.ts";
import { typeName } from "../../syntax/build.ts";
import type { Cast, TypedLiteral } from "../../syntax/tree.ts";
import { typeOrUnknown } from "../../types.ts";

/** The literal in UTC, in one form that all engines accept; the end of a day, which is a time of few engines, is refused. */
export function typedLiteral(node: TypedLiteral): TypedLiteral {
  const literal = literalToEndOfDay(node);
  if (typeOrUnknown(node).kind !== "time" || !literal.value.startsWith("24")) return literal;
  throw unsupported("the end of a day", node.span);
}

/** The literal in UTC, for engines with the time 24:00:00. */
export function literalToEndOfDay(node: TypedLiteral): TypedLiteral {
  const { kind } = typeOrUnknown(node);
  const read =
    kind === "time" ? parseTimeOfDay(node.value) : kind === "interval" ? undefined : parseDateTime(node.value);
  if (read === undefined || (kind !== "date" && kind !== "time" && kind !== "timestamp")) {
    throw unsupported(`the literal of type ${kind}`, node.span, "Write it as YYYY-MM-DD HH:MM:SS.");
  }
  if (!("date" in read)) return { ...node, typeName: typeName("time", node), value: read.time };
  if (kind === "date") {
    if (/^\d{5}/.test(read.day)) throw unsupported(`a date beyond the year ${LAST_YEAR}`, node.span);
    return { ...node, typeName: typeName("date", node), value: read.day };
  }
  return { ...node, typeName: typeName("timestamp", node), value: inUtc(read, node) };
}

function inUtc({ date, time = "00:00:00", zone }: DateTime, node: TypedLiteral): string {
  const type = typeOrUnknown(node);
  // PostgreSQL ignores the zone of a timestamp without time zone.
  const minutes = type.kind === "timestamp" && type.zoned && zone !== undefined && !isUtc(zone) ? minutesOf(zone) : 0;
  if (minutes === undefined) {
    throw unsupported("the name of a time zone in a literal", node.span, "Write the offset: +02:00.");
  }
  const fraction = time.slice("00:00:00".length);
  const moment = new Date(`${date}T${time.slice(0, "00:00:00".length)}Z`);
  moment.setUTCMinutes(moment.getUTCMinutes() - minutes);
  const year = moment.getUTCFullYear();
  if (!(year >= 0 && year <= LAST_YEAR)) throw unsupported(`a timestamp beyond the year ${LAST_YEAR}`, node.span);
  return moment.toISOString().slice(0, "2000-01-01T00:00:00".length).replace("T", " ") + fraction;
}

/** The last year with four digits: engines differ in the form of later years. */
const LAST_YEAR = 9999;

function minutesOf(zone: string): number | undefined {
  const [, sign, hours, minutes = "0"] = /^([+-])(\d{1,2})(?::?(\d{2}))?$/.exec(zone) ?? [];
  if (hours === undefined) return undefined;
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

/** The literal that a cast of a literal text to a date or time means. Throws for any other text: engines read more forms than ISO's. */
export function literalOfCast(node: Cast): TypedLiteral {
  const { operand } = node;
  if (operand.kind === "string" && !node.safe) {
    return { kind: "typed", typeName: node.typeName, value: operand.value, span: node.span, type: typeOrUnknown(node) };
  }
  throw unsupported("a text as a date", node.span, "Declare the column as a date, or cast it in the model's own SQL.");
}
