/** `to_char` of numbers, made of texts: digits, groups, a point and signs. */

import { unsupported } from "../diagnostics.ts";
import { binary, call, cast, decimal, integer, text, when } from "../syntax/build.ts";
import type { Call, Expression } from "../syntax/tree.ts";
import { BOOLEAN, NUMERIC, TEXT } from "../types.ts";

/** What a target says for the texts that a number is put together of. */
export interface NumberWords {
  /** An exact number whose cast to so many digits behind the point rounds it as it is. */
  readonly exact: (value: Expression, scale: number) => Expression;
  readonly joined: (parts: readonly Expression[], at: Expression) => Expression;
  /** What a regular expression finds first. */
  readonly replaced: (value: Expression, pattern: string, by: string) => Expression;
  /** Of a number that is not negative: its digits, so many of them behind the point. */
  readonly digits: (value: Expression, scale: number, at: Expression) => Expression;
  /** From the left up to so many characters. */
  readonly filled: (value: Expression, width: number, by: string, at: Expression) => Expression;
  /** Commas behind groups of so many characters, but for the last of them. */
  readonly grouped: (digits: Expression, groups: readonly number[]) => Expression;
}

/** Where a cast writes every digit behind the point, and `lpad` fills up. */
export const BY_CASTS: Pick<NumberWords, "digits" | "filled"> = {
  digits: (value, _, at) => cast(value, "text", { span: at.span, type: TEXT }),
  filled: (value, width, by, at) =>
    call("lpad", [value, integer(width, at), text(by, at)], { span: at.span, type: TEXT }),
};

type Sign = "before" | "anchored before" | "anchored behind" | "minus before" | "minus behind" | "brackets";

interface NumberFormat {
  /** Texts around the number. */
  readonly before: string;
  readonly behind: string;
  /** `9`, `0` and `,` in front of the point. */
  readonly whole: string;
  /** `9` and `0` behind it; `undefined` without a point. */
  readonly fraction: string | undefined;
  readonly sign: Sign;
  /** FM: neither blanks nor zeros that a 9 stands for. */
  readonly bare: boolean;
}

const MAX_DIGITS = 30;

/** `to_char(x, format)` over an exact number. */
export function numberText(value: Expression, format: string, node: Call, words: NumberWords): Expression {
  const read = readNumberFormat(format);
  const digits = read?.whole.replaceAll(",", "").length ?? 0;
  const scale = read?.fraction?.length ?? 0;
  if (read === undefined || digits === 0 || digits + scale > MAX_DIGITS) {
    throw unsupported("this format of numbers", node.span, "Use 9, 0, a comma, a point, FM, S, MI or PR.");
  }
  if (value.type?.kind === "float") {
    throw unsupported("to_char of a double", node.span, "Write to_char(CAST(x AS numeric(18, 2)), '…').");
  }
  const rounded = cast(words.exact(value, scale), "numeric", { span: node.span, type: NUMERIC }, [38, scale]);
  return new NumberText(read, rounded, node, words).text();
}

function readNumberFormat(format: string): NumberFormat | undefined {
  const upper = format.replace(/[a-z]/g, (letter) => letter.toUpperCase());
  // Letters and signs outside of quotes may be patterns, now or in a later release. Each run of texts is taken whole, for
  // three beside each other can be cut in cubically many ways.
  const parts =
    /^(?=((?:[$€£ ()]|"[^"\\]*")*))\1(FM)?(?=((?:[$€£ ()]|"[^"\\]*")*))\3(S|MI)?([90,G]*)(?:([.D])([90]*))?(S|MI|PR)?((?:[%€£ ()]|"[^"\\]*")*)$/.exec(
      upper,
    );
  if (parts === null) return undefined;
  const [, outer = "", fill, inner = "", first, whole = "", point, fraction = "", last, behind = ""] = parts;
  if (
    (first !== undefined && last !== undefined) ||
    /^[,G]|[,G]$/.test(whole) ||
    (point !== undefined && fraction === "")
  )
    return undefined;
  // Texts keep the case they were written in.
  const before = outer.length + (fill?.length ?? 0);
  const plain = (words: string): string => words.replaceAll('"', "");
  return {
    before: plain(format.slice(0, outer.length) + format.slice(before, before + inner.length)),
    behind: plain(format.slice(format.length - behind.length)),
    whole: whole.replaceAll("G", ","),
    fraction: point === undefined ? undefined : fraction,
    sign: signOf(first, last),
    bare: fill !== undefined,
  };
}

function signOf(first: string | undefined, last: string | undefined): Sign {
  if (first !== undefined) return first === "S" ? "anchored before" : "minus before";
  if (last === undefined) return "before";
  return last === "S" ? "anchored behind" : last === "MI" ? "minus behind" : "brackets";
}

class NumberText {
  readonly #format: NumberFormat;
  readonly #rounded: Expression;
  readonly #node: Call;
  readonly #words: NumberWords;

  constructor(format: NumberFormat, rounded: Expression, node: Call, words: NumberWords) {
    this.#format = format;
    this.#rounded = rounded;
    this.#node = node;
    this.#words = words;
  }

  text(): Expression {
    const { before, behind } = this.#format;
    const number = this.#signed(this.#unsigned());
    return this.#joined([
      ...(before === "" ? [] : [this.#word(before)]),
      number,
      ...(behind === "" ? [] : [this.#word(behind)]),
    ]);
  }

  /** Number signs where the digits do not suffice. */
  #unsigned(): Expression {
    const { whole, fraction } = this.#format;
    const digits = whole.replaceAll(",", "").length;
    const limit = decimal(`1${"0".repeat(digits)}`, this.#node);
    const tooLarge = binary(this.#absolute(), ">=", limit, { span: this.#node.span, type: BOOLEAN });
    const signs = (pattern: string): string => pattern.replace(/\d/g, "#");
    const hashes = this.#word(signs(whole) + (fraction === undefined ? "" : `.${signs(fraction)}`));
    return when(tooLarge, hashes, this.#digits(), { span: this.#node.span, type: TEXT });
  }

  #digits(): Expression {
    const { whole, fraction, bare } = this.#format;
    const count = whole.replaceAll(",", "").length;
    const scale = fraction?.length ?? 0;
    const absolute = this.#words.digits(this.#absolute(), scale, this.#node);
    let result = this.#words.filled(absolute, count + (scale > 0 ? scale + 1 : 0), "0", this.#node);
    result = this.#grouped(result);
    // Blanks stand for the zeros in front of the first digit and of the first 0 of the format, and for their commas.
    const forced = whole.indexOf("0");
    const blank = forced >= 0 ? forced : scale > 0 ? whole.length : whole.length - 1;
    if (blank > 0) result = this.#replaced(result, `^[0,]{0,${blank}}`, "");
    const droppable = bare && fraction !== undefined ? (/(?<!9)9*$/.exec(fraction)?.[0].length ?? 0) : 0;
    if (droppable > 0) result = this.#replaced(result, `0{1,${droppable}}$`, "");
    // Where nothing but the point would be left, there is a zero.
    return droppable > 0 && droppable === scale ? this.#replaced(result, "^\\.$", "0.") : result;
  }

  #grouped(digits: Expression): Expression {
    const groups = this.#format.whole.split(",").map(({ length }) => length);
    return groups.length === 1 ? digits : this.#words.grouped(digits, groups);
  }

  #signed(digits: Expression): Expression {
    const { sign, bare, whole, fraction } = this.#format;
    const width = whole.length + (fraction === undefined ? 0 : fraction.length + 1);
    const filled = (content: Expression, size: number): Expression =>
      bare ? content : this.#words.filled(content, size, " ", this.#node);
    const either = (negative: string, other: string): Expression => {
      const zero = integer(0, this.#node);
      const isNegative = binary(this.#rounded, "<", zero, { span: this.#node.span, type: BOOLEAN });
      return when(isNegative, this.#word(negative), this.#word(other), { span: this.#node.span, type: TEXT });
    };
    const blank = bare ? "" : " ";
    switch (sign) {
      case "before":
        return filled(this.#joined([either("-", ""), digits]), width + 1);
      case "anchored before":
        return filled(this.#joined([either("-", "+"), digits]), width + 1);
      case "anchored behind":
        return filled(this.#joined([digits, either("-", "+")]), width + 1);
      case "minus before":
        return this.#joined([either("-", blank), filled(digits, width)]);
      case "minus behind":
        return this.#joined([filled(digits, width), either("-", blank)]);
      case "brackets":
        return filled(this.#joined([either("<", ""), digits, either(">", blank)]), width + 2);
      default:
        return sign satisfies never;
    }
  }

  #absolute(): Expression {
    return call("abs", [this.#rounded], { span: this.#node.span, type: NUMERIC });
  }

  #replaced(value: Expression, pattern: string, by: string): Expression {
    return this.#words.replaced(value, pattern, by);
  }

  #joined(parts: readonly Expression[]): Expression {
    return this.#words.joined(parts, this.#node);
  }

  #word(word: string): Expression {
    return text(word, this.#node);
  }
}
