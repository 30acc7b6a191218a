/** `to_char` of dates and timestamps: runs that one strftime can say, and what has to be computed. */

import { unsupported } from "../../diagnostics.ts";
import { spelled, sql } from "../../lowering/templates/template.ts";
import { type FormatToken, readFormat } from "../../lowering/times/formats.ts";
import { call, cast, concatenation, integer, text, typed } from "../../syntax/build.ts";
import type { Call, Expression, Template } from "../../syntax/tree.ts";
import { BIGINT, TEXT, TIMESTAMP } from "../../types.ts";

type Pattern = FormatToken & { kind: "pattern" };

/** The text of each specifier, with leading zeros. */
const SPECIFIERS: ReadonlyMap<string, string> = new Map(
  "YYYY %Y|IYYY %G|YY %y|MM %m|DD %d|DDD %j|HH24 %H|HH12 %I|HH %I|MI %M|SS %S|MS %g|FF3 %g|US %f|FF6 %f|IW %V|ID %u"
    .split("|")
    .map((pair): [string, string] => [pair.slice(0, pair.indexOf(" ")), pair.slice(pair.indexOf(" ") + 1)]),
);

/** Specifiers without their leading zeros. */
const BARE: ReadonlySet<string> = new Set("YY MM DD DDD HH24 HH12 HH MI SS".split(" "));

const ALWAYS_FILLED: ReadonlySet<string> = new Set("MS US FF1 FF2 FF3 FF4 FF5 FF6".split(" "));

const WIDTHS: Readonly<Record<string, number>> = {
  ...{ YYYY: 4, IYYY: 4, YYY: 3, IYY: 3, YY: 2, IY: 2, CC: 2, MM: 2, DD: 2, DDD: 3, IDDD: 3, HH24: 2, HH12: 2, HH: 2 },
  ...{ MI: 2, SS: 2, MS: 3, US: 6, FF3: 3, FF6: 6, WW: 2, IW: 2 },
};

/** Specifier and the width PostgreSQL fills names up to. */
const NAMES: ReadonlyMap<string, readonly [specifier: string, width: number]> = new Map([
  ["MONTH", ["%B", 9]],
  ["DAY", ["%A", 9]],
  ["MON", ["%b", 0]],
  ["DY", ["%a", 0]],
]);

/** The words of the morning and of the afternoon. */
const HALVES: ReadonlyMap<string, readonly [morning: string, afternoon: string]> = new Map([
  ["AM", ["AM", "PM"]],
  ["A.M.", ["A.M.", "P.M."]],
]);

const HALF = sql("CASE WHEN date_part('hour', $1) < 12 THEN $2 WHEN date_part('hour', $1) >= 12 THEN $3 END");
const NUMERAL = sql("split_part($2, ' ', date_part('month', $1))");
const ROMAN = "I II III IV V VI VII VIII IX X XI XII";

const field = (name: string): string => `date_part('${name}', $1)`;
const fromOne = (name: string, size: number): string => `(${field(name)} - 1) // ${size} + 1`;

/** The integer that a pattern prints, of a timestamp `$1`; `$2` is the value as it was given. */
const NUMBERS: ReadonlyMap<string, Template> = new Map(
  [
    ["YYYY Y,YYY", field("year")],
    ["YYY", `${field("year")} % 1000`],
    ["YY", `${field("year")} % 100`],
    ["Y", `${field("year")} % 10`],
    ["IYYY", field("isoyear")],
    ["IYY", `${field("isoyear")} % 1000`],
    ["IY", `${field("isoyear")} % 100`],
    ["I", `${field("isoyear")} % 10`],
    ["CC", fromOne("year", 100)],
    ["Q", field("quarter")],
    ["MM", field("month")],
    ["WW", fromOne("doy", 7)],
    ["W", fromOne("day", 7)],
    ["IW", field("week")],
    ["DDD", field("doy")],
    ["IDDD", `(${field("week")} - 1) * 7 + ${field("isodow")}`],
    ["DD", field("day")],
    ["D", `${field("dow")} + 1`],
    ["ID", field("isodow")],
    ["J", "CAST(date_part('julian', CAST($2 AS date)) AS bigint)"],
    ["HH24", field("hour")],
    ["HH12 HH", `(${field("hour")} + 11) % 12 + 1`],
    ["MI", field("minute")],
    ["SS", field("second")],
    ["SSSS SSSSS", `${field("hour")} * 3600 + ${field("minute")} * 60 + ${field("second")}`],
    ["US FF6", `${field("microsecond")} % 1000000`],
    ["MS FF1 FF2 FF3 FF4 FF5", `${field("microsecond")} % 1000000 // 1000`],
  ].flatMap(([patterns = "", digits = ""]) => {
    const template = sql(digits, { type: BIGINT });
    return patterns.split(" ").map((pattern): [string, Template] => [pattern, template]);
  }),
);

const WITH_COMMA = sql("printf('%d,%03d', $1 // 1000, $1 % 1000)", { type: TEXT });
/** Digits with st, nd, rd or th: `$1` is the number, and `$2` its text. */
const ordinalOf = (suffixes: readonly string[]): Template => {
  const [first, second, third, other] = suffixes;
  return sql(
    `$2 || CASE CASE WHEN $1 // 10 % 10 = 1 THEN 0 ELSE $1 % 10 END
      WHEN 1 THEN '${first}' WHEN 2 THEN '${second}' WHEN 3 THEN '${third}' ELSE '${other}' END`,
    { type: TEXT },
  );
};
const ORDINALS = { th: ordinalOf(["st", "nd", "rd", "th"]), TH: ordinalOf(["ST", "ND", "RD", "TH"]) };

/** `to_char(x, format)` over a date or a timestamp. */
export function timeText(value: Expression, format: string, node: Call): Expression {
  if (format === "") return { kind: "null", span: node.span, type: TEXT };
  const pieces = new Pieces(value, node);
  for (const token of readFormat(format)) pieces.add(token);
  return pieces.joined();
}

class Pieces {
  readonly #value: Expression;
  readonly #node: Call;
  readonly #pieces: Expression[] = [];
  #run = "";

  constructor(value: Expression, node: Call) {
    this.#value = value;
    this.#node = node;
  }

  add(token: FormatToken): void {
    if (token.kind === "text") {
      this.#run += token.text.replaceAll("%", "%%");
      return;
    }
    const pattern = token.pattern.toUpperCase();
    if (pattern === "FX") return;
    const name = NAMES.get(pattern);
    if (name !== undefined) {
      this.#named(name, token);
      return;
    }
    const specifier = SPECIFIERS.get(pattern);
    if (specifier !== undefined && token.ordinal === undefined) {
      if (!token.bare || ALWAYS_FILLED.has(pattern)) this.#run += specifier;
      else if (BARE.has(pattern)) this.#run += specifier.replace("%", "%-");
      else this.#push(this.#digits(pattern, token));
      return;
    }
    this.#push(this.#words(pattern, token) ?? this.#digits(pattern, token));
  }

  #push(piece: Expression): void {
    this.#flush();
    this.#pieces.push(piece);
  }

  /** Names follow the case the pattern is written in. */
  #named([specifier, width]: readonly [string, number], { pattern, bare, translated }: Pattern): void {
    const filled = width > 0 && !bare && !translated;
    const lower = pattern === pattern.toLowerCase();
    const upper = pattern === pattern.toUpperCase();
    if (!lower && !upper && !filled) {
      this.#run += specifier;
      return;
    }
    const name = this.#strftime(specifier);
    const cased = upper ? this.#text("upper", [name]) : lower ? this.#text("lower", [name]) : name;
    this.#push(filled ? this.#text("rpad", [cased, integer(width, this.#node), text(" ", this.#node)]) : cased);
  }

  #words(pattern: string, token: Pattern): Expression | undefined {
    const half = HALVES.get(pattern.replace("P", "A"));
    const cased = (word: string): Expression => text(token.pattern === pattern ? word : word.toLowerCase(), this.#node);
    if (half !== undefined) {
      return spelled(HALF, [this.#timestamp, ...half.map(cased)], typed(TEXT, this.#node));
    }
    if (pattern !== "RM") return undefined;
    const numeral = spelled(NUMERAL, [this.#timestamp, cased(ROMAN)], typed(TEXT, this.#node));
    return token.bare ? numeral : this.#text("rpad", [numeral, integer(4, this.#node), text(" ", this.#node)]);
  }

  #digits(pattern: string, { bare, ordinal, pattern: spelling }: Pattern): Expression {
    const fraction = /^FF([1-5])$/.exec(pattern)?.[1];
    const template = NUMBERS.get(pattern);
    if (template === undefined || (fraction !== undefined && ordinal !== undefined)) {
      throw unsupported(`the format pattern ${spelling}`, this.#node.span);
    }
    if (fraction !== undefined) {
      return this.#text("left", [this.#strftime("%f"), integer(Number(fraction), this.#node)]);
    }
    const number = spelled(template, [this.#timestamp, this.#value], this.#node);
    const width = bare && !ALWAYS_FILLED.has(pattern) ? 0 : (WIDTHS[pattern] ?? 0);
    const digits =
      pattern === "Y,YYY"
        ? spelled(WITH_COMMA, [number], this.#node)
        : width === 0
          ? cast(number, "text", typed(TEXT, this.#node))
          : this.#text("printf", [text(`%0${width}d`, this.#node), number]);
    return ordinal === undefined ? digits : spelled(ORDINALS[ordinal], [number, digits], this.#node);
  }

  /** A date has no hours. */
  get #timestamp(): Expression {
    const value = this.#value;
    return value.type?.kind === "date" ? cast(value, "timestamp", typed(TIMESTAMP, this.#node)) : value;
  }

  #strftime(specifiers: string): Expression {
    return this.#text("strftime", [this.#value, text(specifiers, this.#node)]);
  }

  #text(name: string, given: readonly Expression[]): Expression {
    return call(name, given, typed(TEXT, this.#node));
  }

  #flush(): void {
    if (this.#run === "") return;
    this.#pieces.push(this.#strftime(this.#run));
    this.#run = "";
  }

  joined(): Expression {
    this.#flush();
    const [first, ...others] = this.#pieces;
    if (first === undefined) return this.#text("left", [this.#strftime("%Y"), integer(0, this.#node)]);
    return others.reduce((left, right) => concatenation(left, right, this.#node), first);
  }
}
