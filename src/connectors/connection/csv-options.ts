/**
 * How CSV files are written, where it is not found in them: the member `csv` of a connection to files, and `properties.csv` of a
 * model. A model's options win over the connection's, one by one.
 */
import * as z from "zod/mini";
import { once } from "../../once.ts";
import { nearestNames } from "../../planner/suggest.ts";

export const CSV_ENCODINGS = ["utf-8", "latin-1", "utf-16"] as const;

export interface CsvOptions {
  readonly encoding?: (typeof CSV_ENCODINGS)[number];
  /** One character between the values of a line. */
  readonly delimiter?: string;
  /** One character around values; empty if values are never quoted. */
  readonly quote?: string;
  /** The character before a quote within a quoted value; by default the quote itself. */
  readonly escape?: string;
  /** Whether the first line names the columns. */
  readonly header?: boolean;
  /** A value that is NULL, as the empty value is. */
  readonly nullText?: string;
  /** Formats of DuckDB's strptime. */
  readonly dateFormat?: string;
  readonly timestampFormat?: string;
}

/** The schema of the member. `readCsvOptions` reports unknown members, which it keeps. */
export const csvOptionsShape = once(() =>
  z.looseObject({
    encoding: z.nullish(z.string()),
    delimiter: z.nullish(z.string()),
    quote: z.nullish(z.string()),
    escape: z.nullish(z.string()),
    header: z.nullish(z.boolean()),
    nullText: z.nullish(z.string()),
    dateFormat: z.nullish(z.string()),
    timestampFormat: z.nullish(z.string()),
  }),
);

/** Creates the error about an option: `option` is undefined if the object of options is meant. */
type Fail = (option: string | undefined, problem: string, hint?: string) => Error;

/** Undefined where no option is given. Throws what `fail` returns, which never gets a value. */
export function readCsvOptions(raw: unknown, fail: Fail): CsvOptions | undefined {
  if (raw === undefined || raw === null) return undefined;
  if (typeof raw !== "object" || Array.isArray(raw)) throw fail(undefined, "must be an object");
  const options: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(raw)) {
    const read = Object.hasOwn(READERS, name) ? READERS[name as keyof CsvOptions] : undefined;
    if (read === undefined) throw unknownOption(name, fail);
    if (value === undefined || value === null) continue;
    const known = read(value);
    if ("problem" in known) throw fail(name, known.problem, known.hint);
    options[name] = known.value;
  }
  return Object.keys(options).length === 0 ? undefined : (options as CsvOptions);
}

function unknownOption(name: string, fail: Fail): Error {
  const shown = /^[a-z][a-z0-9_-]{0,62}$/i.test(name) ? `the option "${name}"` : "one of its options";
  const names = Object.keys(READERS);
  const near = nearestNames(name, names);
  const hint =
    near.length === 0 ? `CSV files have the options ${names.join(", ")}.` : `Did you mean ${near.join(" or ")}?`;
  return fail(undefined, `${shown} is unknown`, hint);
}

type Known = { readonly value: unknown } | { readonly problem: string; readonly hint?: string };

const LONGEST_TEXT = 100;

const READERS: Readonly<Record<keyof CsvOptions, (value: unknown) => Known>> = {
  encoding: (value) => {
    const wanted = typeof value === "string" ? value.toLowerCase() : undefined;
    const encoding = CSV_ENCODINGS.find((known) => plain(known) === plain(wanted ?? ""));
    const hint = "Windows-1252 has characters that Latin-1 lacks: convert files with such characters to UTF-8.";
    return encoding === undefined
      ? { problem: `must be one of ${CSV_ENCODINGS.join(", ")}`, hint }
      : { value: encoding };
  },
  delimiter: (value) => character(value, false),
  quote: (value) => character(value, true),
  escape: (value) => character(value, true),
  header: (value) => (typeof value === "boolean" ? { value } : { problem: "must be true or false" }),
  nullText: (value) => {
    if (typeof value !== "string" || value.length > LONGEST_TEXT) {
      return { problem: `must be a text of at most ${LONGEST_TEXT} characters` };
    }
    return /[\0\r\n]/.test(value) || !value.isWellFormed() ? { problem: "must be a part of one line" } : { value };
  },
  dateFormat: (value) => format(value),
  timestampFormat: (value) => format(value),
};

function plain(encoding: string): string {
  return encoding.replaceAll(/[-_]/g, "");
}

/** A letter, a digit or a character beyond ASCII is none: DuckDB compares single bytes. */
function character(value: unknown, mayBeEmpty: boolean): Known {
  if (value === "" && mayBeEmpty) return { value };
  if (typeof value === "string" && value.length === 1) {
    const code = value.charCodeAt(0);
    if (code > 0 && code < 0x80 && !/[A-Za-z0-9\r\n]/.test(value)) return { value };
  }
  return {
    problem: `must be one ASCII character that is no letter, digit or line end${mayBeEmpty ? ", or empty" : ""}`,
  };
}

/** Named time zones (`%Z`) need a part of DuckDB that the files Worker lacks, and an offset (`%z`) a column with a time zone. */
const SPECIFIERS = /^(?:[^%\0\r\n]|%(?:[aAbBdHIjmMpSyYf%]|-[dHIjmMSy]))+$/;

function format(value: unknown): Known {
  if (typeof value === "string" && value.length <= LONGEST_TEXT && SPECIFIERS.test(value) && value.includes("%")) {
    return { value };
  }
  const hint = "Write the parts of a day or time as %Y, %m, %d, %H, %M, %S, %f: %d/%m/%Y %H:%M.";
  return { problem: "must be a format of dates", hint };
}
