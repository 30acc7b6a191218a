/** `to_char` of dates and timestamps: runs that one strftime can say, and what has to be computed. */

import { unsupported } from "../../diagnostics.ts";
import { type FormatToken, readFormat } from "../../lowering/formats.ts";
import { binary, call, cases, cast, concatenation, integer, text, when } from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { BIGINT, BOOLEAN, TEXT, TIMESTAMP } from "../../types.ts";

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

const HALVES: ReadonlyMap<string, readonly [morning: string, afternoon: string]> = new Map([
  ["AM", ["AM", "PM"]],
  ["A.M.", ["A.M.", "P.M."]],
]);

const ROMAN = "I II III IV V VI VII VIII IX X XI XII";

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
      const isIn = (operator: "<" | ">=", word: string) => ({
        when: binary(this.#field("hour"), operator, integer(12, this.#node), { ...this.#at, type: BOOLEAN }),
        then: cased(word),
      });
      const branches = [isIn("<", half[0]), isIn(">=", half[1])];
      return cases(branches, undefined, { ...this.#at, type: TEXT });
    }
    if (pattern !== "RM") return undefined;
    const numeral = this.#text("split_part", [cased(ROMAN), text(" ", this.#node), this.#field("month")]);
    return token.bare ? numeral : this.#text("rpad", [numeral, integer(4, this.#node), text(" ", this.#node)]);
  }

  #digits(pattern: string, { bare, ordinal, pattern: spelling }: Pattern): Expression {
    const fraction = /^FF([1-5])$/.exec(pattern)?.[1];
    const number = this.#number(pattern);
    if (number === undefined || (fraction !== undefined && ordinal !== undefined)) {
      throw unsupported(`the format pattern ${spelling}`, this.#node.span);
    }
    if (fraction !== undefined) {
      return this.#text("left", [this.#strftime("%f"), integer(Number(fraction), this.#node)]);
    }
    const width = bare && !ALWAYS_FILLED.has(pattern) ? 0 : (WIDTHS[pattern] ?? 0);
    const digits =
      pattern === "Y,YYY"
        ? this.#text("printf", [
            text("%d,%03d", this.#node),
            this.#computed(number, "//", 1000),
            this.#computed(number, "%", 1000),
          ])
        : width === 0
          ? cast(number, "text", { ...this.#at, type: TEXT })
          : this.#text("printf", [text(`%0${width}d`, this.#node), number]);
    return ordinal === undefined ? digits : concatenation(digits, this.#ordinal(number, ordinal), this.#node);
  }

  /** The whole number that a pattern prints. */
  #number(pattern: string): Expression | undefined {
    const fromOne = (field: string, size: number): Expression =>
      this.#computed(this.#computed(this.#computed(this.#field(field), "-", 1), "//", size), "+", 1);
    const day = cast(this.#value, "date", this.#at);
    switch (pattern) {
      case "YYYY":
      case "Y,YYY":
        return this.#field("year");
      case "YYY":
      case "YY":
      case "Y":
        return this.#computed(this.#field("year"), "%", 10 ** pattern.length);
      case "IYYY":
        return this.#field("isoyear");
      case "IYY":
      case "IY":
      case "I":
        return this.#computed(this.#field("isoyear"), "%", 10 ** pattern.length);
      case "CC":
        return fromOne("year", 100);
      case "Q":
        return this.#field("quarter");
      case "MM":
        return this.#field("month");
      case "WW":
        return fromOne("doy", 7);
      case "W":
        return fromOne("day", 7);
      case "IW":
        return this.#field("week");
      case "DDD":
        return this.#field("doy");
      case "IDDD":
        return this.#sum(this.#computed(this.#computed(this.#field("week"), "-", 1), "*", 7), this.#field("isodow"));
      case "DD":
        return this.#field("day");
      case "D":
        return this.#computed(this.#field("dow"), "+", 1);
      case "ID":
        return this.#field("isodow");
      case "J":
        return cast(call("date_part", [text("julian", this.#node), day], this.#at), "bigint", this.#at);
      case "HH24":
        return this.#field("hour");
      case "HH12":
      case "HH": {
        const before = this.#computed(this.#computed(this.#field("hour"), "+", 11), "%", 12);
        return this.#computed(before, "+", 1);
      }
      case "MI":
        return this.#field("minute");
      case "SS":
        return this.#field("second");
      case "SSSS":
      case "SSSSS": {
        const hours = this.#computed(this.#field("hour"), "*", 3600);
        return this.#sum(this.#sum(hours, this.#computed(this.#field("minute"), "*", 60)), this.#field("second"));
      }
      case "MS":
      case "US":
      case "FF1":
      case "FF2":
      case "FF3":
      case "FF4":
      case "FF5":
      case "FF6": {
        const micros = this.#computed(this.#field("microsecond"), "%", 1_000_000);
        return /^(US|FF6)$/.test(pattern) ? micros : this.#computed(micros, "//", 1000);
      }
      default:
        return undefined;
    }
  }

  /** st, nd, rd or th, by the digits that were printed. */
  #ordinal(number: Expression, spelling: "TH" | "th"): Expression {
    const suffix = (word: string): Expression => text(spelling === "TH" ? word.toUpperCase() : word, this.#node);
    const place = { ...this.#at, type: TEXT };
    const tens = this.#computed(this.#computed(number, "//", 10), "%", 10);
    const isTeen = binary(tens, "=", integer(1, this.#node), { ...this.#at, type: BOOLEAN });
    return {
      kind: "case",
      operand: when(isTeen, integer(0, this.#node), this.#computed(number, "%", 10), { ...this.#at, type: BIGINT }),
      branches: ["st", "nd", "rd"].map((word, index) => ({
        when: integer(index + 1, this.#node),
        then: suffix(word),
      })),
      otherwise: suffix("th"),
      ...place,
    };
  }

  get #at(): { readonly span: Call["span"]; readonly type: typeof BIGINT } {
    return { span: this.#node.span, type: BIGINT };
  }

  /** Takes a date too, which has no hours. */
  #field(name: string): Expression {
    const value =
      this.#value.type?.kind === "date"
        ? cast(this.#value, "timestamp", { ...this.#at, type: TIMESTAMP })
        : this.#value;
    return call("date_part", [text(name, this.#node), value], this.#at);
  }

  #computed(left: Expression, operator: "+" | "-" | "*" | "//" | "%", right: number): Expression {
    return binary(left, operator, integer(right, this.#node), this.#at);
  }

  #sum(left: Expression, right: Expression): Expression {
    return binary(left, "+", right, this.#at);
  }

  #strftime(specifiers: string): Expression {
    return this.#text("strftime", [this.#value, text(specifiers, this.#node)]);
  }

  #text(name: string, given: readonly Expression[]): Expression {
    return call(name, given, { span: this.#node.span, type: TEXT });
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
    return others.reduce((left, right) => binary(left, "||", right, { span: this.#node.span, type: TEXT }), first);
  }
}
