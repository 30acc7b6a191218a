/**
 * `to_char` of exact numbers by a literal format, as a definition in the input language: the number is rounded to the digits of the
 * format, its digits become one text of a fixed width, and the result joins parts of that text.
 */
import { unsupported } from "../../diagnostics.ts";
import { functionName } from "../../functions/calls.ts";
import { values } from "../../syntax/build.ts";
import type { Call } from "../../syntax/tree.ts";
import { isNumeric, typeOrUnknown } from "../../types.ts";
import { type Definition, definitionOf, PART } from "../meanings.ts";
import { type Filling, type NumberFormat, readNumberFormat } from "./number-patterns.ts";

/** On both sides of the point together. Up to so many are a bigint, and a decimal beyond. */
const MOST_DIGITS = 30;
const MOST_OF_BIGINT = 18;

/** `undefined` for calls of other types. */
export function shownNumber(node: Call, filling: Filling): Definition | undefined {
  if (functionName(node) !== "to_char") return undefined;
  const [value, format] = values(node);
  const type = value && typeOrUnknown(value);
  if (format?.kind !== "string" || type === undefined || !isNumeric(type)) return undefined;
  const read = readNumberFormat(format);
  if (type.kind === "float") {
    throw unsupported("to_char of a double", node.span, "Write to_char(CAST(x AS numeric(18, 2)), '…').");
  }
  const text = new ShownNumber(read, type.kind === "integer", filling);
  if (text.digits > MOST_DIGITS) {
    throw unsupported(`a number format of more than ${MOST_DIGITS} digits`, format.span, "Show fewer digits.");
  }
  return definitionOf(text.sql().replaceAll("$1", PART));
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const joined = (parts: readonly string[]): string => parts.filter((part) => part !== "''").join(" || ") || "''";
const power = (exponent: number): string => `1${"0".repeat(exponent)}`;

/** Number signs in the place of the digits, for a number that has more before the point than the format. */
export function hashesOf({ whole, fraction, sign, bare }: NumberFormat, isNegative: boolean): string {
  const hashes = (fraction === undefined ? whole : `${whole}.${fraction}`).replace(/\d/g, "#");
  const [plus, minus, none] = ["+", "-", bare ? "" : " "];
  switch (sign) {
    case "before":
    case "minus before":
      return (isNegative ? minus : none) + hashes;
    case "anchored before":
    case "sign before":
      return (isNegative ? minus : plus) + hashes;
    case "anchored behind":
    case "sign behind":
      return hashes + (isNegative ? minus : plus);
    case "minus behind":
      return hashes + (isNegative ? minus : none);
    case "brackets":
      return isNegative ? `<${hashes}>` : none + hashes + none;
    default:
      return sign satisfies never;
  }
}

/** A place of the format: a digit, counted from 0, or a mark that is written as it is. */
type Place = number | "," | ".";

class ShownNumber {
  /** The number of digits of which the text is made. */
  readonly digits: number;
  readonly #format: NumberFormat;
  readonly #filling: Filling;
  readonly #isInteger: boolean;
  readonly #whole: number;
  readonly #scale: number;
  /** The number rounded to the digits of the format. */
  readonly #rounded: string;

  constructor(format: NumberFormat, isInteger: boolean, filling: Filling) {
    this.#format = format;
    this.#filling = filling;
    this.#isInteger = isInteger;
    this.#whole = format.whole.replaceAll(",", "").length;
    this.#scale = format.fraction?.length ?? 0;
    this.#rounded = isInteger ? "$1" : `round($1, ${this.#scale})`;
    this.digits = this.#whole + this.#scale;
  }

  sql(): string {
    const { before, behind } = this.#format;
    const limit = power(this.#whole);
    const hashes = (isNegative: boolean): string => quoted(before + hashesOf(this.#format, isNegative) + behind);
    return [
      `CASE WHEN ${this.#rounded} >= ${limit} THEN ${hashes(false)}`,
      `WHEN ${this.#rounded} <= -${limit} THEN ${hashes(true)}`,
      `ELSE ${joined([quoted(before), this.#signed(), quoted(behind)])} END`,
    ].join(" ");
  }

  get #width(): number {
    const { whole, fraction } = this.#format;
    return whole.length + (fraction === undefined ? 0 : fraction.length + 1);
  }

  #signed(): string {
    const { sign, bare } = this.#format;
    const none = bare ? "" : " ";
    const either = (negative: string, other: string): string =>
      `CASE WHEN ${this.#rounded} < 0 THEN ${quoted(negative)} ELSE ${quoted(other)} END`;
    const number = this.#number();
    const filled = (parts: readonly string[], width: number): string =>
      bare ? joined(parts) : this.#filled(joined(parts), width);
    switch (sign) {
      case "before":
        return filled([either("-", ""), number], this.#width + 1);
      case "anchored before":
        return filled([either("-", "+"), number], this.#width + 1);
      case "anchored behind":
        return filled([number, either("-", "+")], this.#width + 1);
      case "minus before":
        return joined([either("-", none), filled([number], this.#width)]);
      case "sign before":
        return joined([either("-", "+"), filled([number], this.#width)]);
      case "minus behind":
        return joined([filled([number], this.#width), either("-", none)]);
      case "sign behind":
        return joined([filled([number], this.#width), either("-", "+")]);
      case "brackets":
        return filled([either("<", ""), number, either(">", none)], this.#width + 2);
      default:
        return sign satisfies never;
    }
  }

  /** Without a sign, and without blanks on the left. */
  #number(): string {
    const { whole, fraction, bare } = this.#format;
    const forced = whole.indexOf("0");
    // Before this place nothing is written in the place of a zero that nothing precedes.
    const first = forced >= 0 ? forced : this.#scale > 0 ? whole.length : whole.length - 1;
    const dropped = bare && fraction !== undefined ? (/(?<!9)9*$/.exec(fraction)?.[0].length ?? 0) : 0;
    if (fraction === undefined && first === this.digits - 1 && !whole.includes(",")) return this.#shortText();
    const places = placesOf(fraction === undefined ? whole : `${whole}.${fraction}`);
    const shown = joined([
      this.#head(places.slice(0, first)),
      this.#tail(places.slice(first, places.length - dropped)),
      this.#dropping(places.slice(places.length - dropped)),
    ]);
    // If only the point would remain, a zero is added.
    const isPointOnly = dropped > 0 && dropped === this.#scale && first === whole.length;
    return isPointOnly ? `CASE WHEN ${this.#rounded} = 0 THEN '0.' ELSE ${shown} END` : shown;
  }

  /** A zero that nothing precedes is a blank in the digits, and so is a comma that a blank precedes. */
  #head(places: readonly Place[]): string {
    if (places.length === 0) return "''";
    const text = this.#joined(places);
    return `ltrim(${places.includes(",") ? `replace(${text}, ' ,', '  ')` : text})`;
  }

  #tail(places: readonly Place[]): string {
    const text = this.#joined(places);
    // The last digit is never a blank.
    const mayHaveBlanks = places.some((place) => typeof place === "number" && place < this.digits - 1);
    return mayHaveBlanks ? `replace(${text}, ' ', '0')` : text;
  }

  #dropping(places: readonly Place[]): string {
    return places.length === 0 ? "''" : `replace(rtrim(replace(${this.#joined(places)}, '0', ' ')), ' ', '0')`;
  }

  /** Neighbouring digits are one part of the text of all. */
  #joined(places: readonly Place[]): string {
    const parts: string[] = [];
    for (let at = 0; at < places.length; at++) {
      const place = places[at];
      if (typeof place === "number") {
        const start = at;
        while (typeof places[at + 1] === "number") at++;
        parts.push(`substring(${this.#text()}, ${place + 1}, ${at - start + 1})`);
      } else if (place !== undefined) parts.push(quoted(place));
    }
    return joined(parts);
  }

  /** All digits, with blanks on the left. */
  #text(): string {
    return this.#filled(this.#shortText(), this.digits);
  }

  #shortText(): string {
    const type = this.digits > MOST_OF_BIGINT ? `numeric(${MOST_DIGITS}, 0)` : "bigint";
    const exact = this.#isInteger ? `CAST($1 AS ${type})` : this.#rounded;
    const scaled = this.#scale === 0 ? exact : `${exact} * ${power(this.#scale)}`;
    return `CAST(abs(${scaled === exact && this.#isInteger ? exact : `CAST(${scaled} AS ${type})`}) AS text)`;
  }

  #filled(text: string, width: number): string {
    return this.#filling === "by lpad"
      ? `lpad(${text}, ${width}, ' ')`
      : `right(${quoted(" ".repeat(width))} || ${text}, ${width})`;
  }
}

function placesOf(pattern: string): readonly Place[] {
  let digit = 0;
  return [...pattern].map((mark) => (mark === "," || mark === "." ? mark : digit++));
}
