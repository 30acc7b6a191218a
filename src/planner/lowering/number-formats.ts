/** `to_char` of numbers, composed of texts: digits, groups, a point and signs. */

import { unsupported } from "../diagnostics.ts";
import { binary, call, cast, decimal, integer, text, when } from "../syntax/build.ts";
import type { Call, Expression } from "../syntax/tree.ts";
import { BOOLEAN, NUMERIC, TEXT } from "../types.ts";

/** A target's functions for composing the text of a number. */
export interface NumberWords {
  /** An exact number, whose cast to this many fraction digits rounds it as PostgreSQL does. */
  readonly exact: (value: Expression, scale: number) => Expression;
  readonly joined: (parts: readonly Expression[], at: Expression) => Expression;
  /** Replaces the first match of a regular expression. */
  readonly replaced: (value: Expression, pattern: string, by: string) => Expression;
  /** The digits of a number that is not negative, with this many after the point. */
  readonly digits: (value: Expression, scale: number, at: Expression) => Expression;
  /** Pads on the left to this width. */
  readonly filled: (value: Expression, width: number, by: string, at: Expression) => Expression;
  /** Inserts commas after groups of these widths, except the last. */
  readonly grouped: (digits: Expression, groups: readonly number[]) => Expression;
}

/** For targets where a cast writes every fraction digit, and `lpad` pads. */
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
  /** `9`, `0` and `,` before the point. */
  readonly whole: string;
  /** `9` and `0` after it; `undefined` without a point. */
  readonly fraction: string | undefined;
  readonly sign: Sign;
  /** FM: neither blanks nor zeros for a 9. */
  readonly bare: boolean;
}

const MAX_DIGITS = 30;

/** `to_char(x, format)` of an exact number. */
export function numberText(value: Expression, format: string, node: Call, words: NumberWords): Expression {
  const read = readNumberFormat(format);
  const digits = read?.whole.replaceAll(",", "").length ?? 0;
  const scale = read?.fraction?.length ?? 0;
  if (read === undefined || digits === 0 || digits + scale > MAX_DIGITS) {
    throw unsupported("the number format", node.span, "Use 9, 0, a comma, a point, FM, S, MI or PR.");
  }
  if (value.type?.kind === "float") {
    throw unsupported("to_char of a double", node.span, "Write to_char(CAST(x AS numeric(18, 2)), '…').");
  }
  const rounded = cast(words.exact(value, scale), "numeric", { span: node.span, type: NUMERIC }, [38, scale]);
  return new NumberText(read, rounded, node, words).text();
}

function readNumberFormat(format: string): NumberFormat | undefined {
  const upper = format.replace(/[a-z]/g, (letter) => letter.toUpperCase());
  // Letters and symbols outside of quotes may be patterns in this or a later release. Each run of texts is matched as a whole,
  // because three adjacent ones could be split in cubically many ways.
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
  // Texts keep their original case.
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

  /** Number signs if there are too few digits. */
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
    // Blanks replace the zeros before the first digit and before the format's first 0, and their commas.
    const forced = whole.indexOf("0");
    const blank = forced >= 0 ? forced : scale > 0 ? whole.length : whole.length - 1;
    if (blank > 0) result = this.#replaced(result, `^[0,]{0,${blank}}`, "");
    const droppable = bare && fraction !== undefined ? (/(?<!9)9*$/.exec(fraction)?.[0].length ?? 0) : 0;
    if (droppable > 0) result = this.#replaced(result, `0{1,${droppable}}$`, "");
    // If only the point would remain, a zero is added.
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
