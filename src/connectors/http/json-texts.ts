/** Parses values that APIs write as JSON strings. Each function throws `UnreadableValue` for anything else. */
import { UnreadableValue } from "../unreadable-value.ts";

export function fail(what: string): never {
  throw new UnreadableValue(what);
}

export function text(json: unknown): string {
  return typeof json === "string" ? json : fail("something that is not text");
}

export function boolean(json: unknown): boolean {
  return json === "true" ? true : json === "false" ? false : fail("a boolean");
}

const SMALLEST = -(2n ** 63n);

/** A 64-bit integer. */
export function integer(json: unknown): bigint {
  const value = /^-?\d{1,38}$/.test(text(json)) ? BigInt(text(json)) : fail("an integer");
  return value >= SMALLEST && value < -SMALLEST ? value : fail("an integer of more than 64 bits");
}
