/**
 * `to_date` and `to_timestamp` of a computed text by a literal format: the text is put in ISO's order and cast. PostgreSQL reads other
 * shapes than that of the format, too (`1.2.2024` by `DD.MM.YYYY`); they are an error of the engine here, as are days that do not exist.
 */
import { functionName } from "../../functions/calls.ts";
import { values } from "../../syntax/build.ts";
import type { Call } from "../../syntax/tree.ts";
import { typeOrUnknown } from "../../types.ts";
import { type Definition, definitionOf, PART } from "../meanings.ts";
import type { TimePatterns } from "./formats.ts";
import { type FormatToken, readFormat } from "./formats.ts";

/** Fields and the number of their characters. */
const WIDTHS = { YYYY: 4, YY: 2, MM: 2, MON: 3, DD: 2, HH24: 2, MI: 2, SS: 2 } as const;
type Field = keyof typeof WIDTHS;

const isField = (name: string): name is Field => Object.hasOwn(WIDTHS, name);

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec";

/** Fields in ISO's order, each with the separator before it, and the field's first value. */
const ISO = [
  { fields: ["YYYY", "YY"], before: "", first: "" },
  { fields: ["MM", "MON"], before: "-", first: "'01'" },
  { fields: ["DD"], before: "-", first: "'01'" },
  { fields: ["HH24"], before: " ", first: "'00'" },
  { fields: ["MI"], before: ":", first: "'00'" },
  { fields: ["SS"], before: ":", first: "'00'" },
] as const;
const FIELDS_OF_DAY = 3;

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** The characters of the text from a place on, counted from 1; without a length, the rest. */
const cut = (from: number, length: number | undefined): string =>
  length === undefined ? `substr($1, ${from})` : `substr($1, ${from}, ${length})`;

interface Shape {
  /** The characters of each field. */
  readonly fields: ReadonlyMap<Field, string>;
  /** The characters between two fields, and the separator of the format. */
  readonly separators: readonly (readonly [characters: string, text: string])[];
  readonly format: string;
}

/** The last field takes the rest of the text, so that a longer text is no date. */
function shapeOf(tokens: readonly FormatToken[]): Shape | undefined {
  const fields = new Map<Field, string>();
  const separators: (readonly [string, string])[] = [];
  let place = 1;
  let format = "";
  for (const [index, token] of tokens.entries()) {
    const isLast = index === tokens.length - 1;
    if (token.kind === "text") {
      if (index === 0 || isLast || !/^[\x20-\x7e]+$/.test(token.text)) return undefined;
      separators.push([cut(place, token.text.length), token.text]);
      place += token.text.length;
      format += token.text;
      continue;
    }
    const name = token.pattern.toUpperCase();
    const isPlain = !token.bare && !token.translated && token.ordinal === undefined;
    if (!isPlain || !isField(name) || fields.has(name)) return undefined;
    fields.set(name, cut(place, isLast ? undefined : WIDTHS[name]));
    place += WIDTHS[name];
    format += name;
  }
  return isComplete(fields) ? { fields, separators, format } : undefined;
}

/** Whether each part of the day is there once, and the parts of the clock down to the smallest. */
function isComplete(fields: ReadonlyMap<Field, string>): boolean {
  const counts = ISO.map((part) => part.fields.filter((field) => fields.has(field)).length);
  const [year = 0, , , ...clock] = counts;
  const isOrdered = clock.every((count, index) => count <= (index === 0 ? 1 : (clock[index - 1] ?? 0)));
  return year === 1 && counts.every((count) => count <= 1) && isOrdered;
}

/** The text in ISO's order; fields that the format does not have are the first of their kind. */
function isoText({ fields, separators, format }: Shape, isTimed: boolean): string | undefined {
  if (format === "YYYY-MM-DD") return "$1";
  // PostgreSQL leaves out what follows the seconds, and a cast would read a fraction of them.
  if (isTimed && format === "YYYY-MM-DD HH24:MI:SS") return "replace($1, '.', '?')";
  const parts = isTimed ? ISO : ISO.slice(0, FIELDS_OF_DAY);
  const left = [...separators];
  const pieces = parts.flatMap((part) => {
    const [field] = part.fields.filter((each) => fields.has(each));
    const characters = field === undefined ? undefined : fields.get(field);
    const text = field === undefined || characters === undefined ? part.first : valueOf(field, characters);
    if (part.before === "") return [text];
    const separator = left.shift();
    return [separator === undefined ? quoted(part.before) : separatorOf(separator, part.before), text];
  });
  return left.length === 0 ? pieces.join(" || ") : undefined;
}

/** A separator of the format becomes ISO's; any other one stays, so that the text is no date. */
const separatorOf = ([characters, text]: readonly [string, string], iso: string): string =>
  text === iso ? characters : `replace(${characters}, ${quoted(text)}, ${quoted(iso)})`;

function valueOf(field: Field, characters: string): string {
  switch (field) {
    case "YY":
      // Two digits are the year nearest to 2020.
      return `CASE WHEN left(${characters}, 1) IN ('7', '8', '9') THEN '19' ELSE '20' END || ${characters}`;
    case "MON": {
      const branches = MONTHS.split(" ").map(
        (month, index) => `WHEN ${quoted(month)} THEN '${String(index + 1).padStart(2, "0")}'`,
      );
      return `CASE lower(${characters}) ${branches.join(" ")} ELSE '?' END`;
    }
    case "SS":
      return `replace(${characters}, '.', '?')`;
    default:
      return characters;
  }
}

/** `undefined` for literals, which are read while planning, and for formats of another kind. */
export function readTime(node: Call, { dates }: TimePatterns): Definition | undefined {
  if (dates === "all" || !/^to_(date|timestamp)$/.test(functionName(node))) return undefined;
  const [value, format] = values(node);
  if (format?.kind !== "string") return undefined;
  if (value === undefined || value.kind === "string" || typeOrUnknown(value).kind !== "text") return undefined;
  const shape = shapeOf(readFormat(format.value));
  if (shape === undefined) return undefined;
  const isTimed = shape.fields.has("HH24");
  const text = isoText(shape, isTimed);
  if (text === undefined) return undefined;
  const read = isTimed ? `CAST(${text} AS timestamp)` : `CAST(${text} AS date)`;
  const isDay = typeOrUnknown(node).kind === "date";
  const day = isTimed ? `CAST(${read} AS date)` : read;
  const time = isTimed ? read : `CAST(${read} AS timestamp)`;
  const sql = isDay ? day : `CAST(${time} AS timestamp with time zone)`;
  return definitionOf(sql.replaceAll("$1", PART));
}
