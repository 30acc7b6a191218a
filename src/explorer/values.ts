/** Values of an answer as people read them. Nothing is rounded: numbers arrive as text where a double would lose digits. */

export type ColumnKind = "number" | "time" | "flag" | "text";

/** The kind of a column by the API's name of its type. */
export function kindOf(type: string): ColumnKind {
  if (/^(?:u?int\d|float|double|decimal|halffloat)/.test(type)) return "number";
  if (/^(date|timestamp)/.test(type)) return "time";
  if (/^bool/.test(type)) return "flag";
  return "text";
}

/** `date32[day]` as `date`, `timestamp[us, tz=UTC]` as `timestamp with time zone`, and others as they are. */
export function typeLabel(type: string): string {
  if (type.startsWith("date")) return "date";
  if (type.startsWith("timestamp")) return type.includes("tz=") ? "timestamp with time zone" : "timestamp";
  if (type === "string" || type === "large_string") return "text";
  return type.replace(/^decimal(?:32|64|128|256)?/, "decimal").replace(", ", ",");
}

/** The value with all its digits. */
export function exactText(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Digits in groups of three, for the eye. The text that is copied is `exactText`. */
export function shownText(value: unknown, kind: ColumnKind): string {
  const text = exactText(value);
  if (kind !== "number") return text;
  const [, sign = "", whole, rest = ""] = /^(-?)(\d+)(\.\d+)?$/.exec(text) ?? [];
  return whole === undefined ? text : sign + grouped(whole) + rest;
}

/** Digits in groups of three from the right. */
function grouped(digits: string): string {
  const groups: string[] = [];
  for (let end = digits.length; end > 0; end -= 3) groups.unshift(digits.slice(Math.max(end - 3, 0), end));
  return groups.join(",");
}
