/**
 * Infers the size of decimals from the values where the source reports none: `1.0 / 3` has twenty digits after the point on
 * PostgreSQL, and `decimal128(38, 9)` would contradict them (docs/decisions/0002-exact-values.md).
 */
import type { LogicalType, Value } from "../types.ts";

/** The size reported for a decimal of unknown size (docs/decisions/0002-exact-values.md), as long as the values fit. */
const USUAL = { precision: 38, scale: 9 };

export class DecimalSize {
  #whole = 0;
  #scale = USUAL.scale;

  /** `value` is canonical: digits, then an optional point and fraction. */
  see(value: Value): void {
    if (typeof value !== "string") return;
    const point = value.indexOf(".");
    const whole = (point < 0 ? value.length : point) - (value.startsWith("-") ? 1 : 0);
    if (whole > this.#whole && /^-?\d/.test(value)) this.#whole = whole;
    if (point < 0 || value.length - point - 1 <= this.#scale) return;
    const scale = value.replace(/(?<!0)0+$/, "").length - point - 1;
    if (scale > this.#scale) this.#scale = scale;
  }

  /** A type that holds every value seen so far. */
  get type(): LogicalType {
    return { kind: "decimal", precision: Math.max(USUAL.precision, this.#whole + this.#scale), scale: this.#scale };
  }
}

export const isOfUnknownSize = (type: LogicalType): boolean =>
  type.kind === "decimal" && (type.precision === undefined || type.scale === undefined);
