/** The type of a leaf of the schema: its physical type and its meaning. */
import type { Struct } from "./compact-protocol.ts";
import { integerOf } from "./footer.ts";

export const PHYSICAL = { boolean: 0n, int32: 1n, int64: 2n, float: 4n, double: 5n, bytes: 6n, fixed: 7n } as const;

export interface Meaning {
  readonly of: "itself" | "number" | "moment" | "text";
  readonly scale?: number;
  /** Nanoseconds per unit. */
  readonly factor?: bigint;
}

export const NANOSECONDS_OF_A_DAY = 86_400_000_000_000n;

/** By the logical type next to the physical one; undefined for unsupported types. */
export function meaningOf(element: Struct): Meaning | undefined {
  const converted = integerOf(element, 6);
  const logical = element.get(10);
  const [kind] = logical?.type === "struct" ? logical.value : [];
  if (kind === undefined && converted === undefined) return { of: "itself" };
  if (kind !== undefined) {
    const [id, field] = kind;
    const inside: Struct = field.type === "struct" ? field.value : new Map();
    switch (id) {
      case 1:
        return { of: "text" };
      case 5:
        return { of: "number", scale: Number(integerOf(inside, 1) ?? 0n) };
      case 6:
        return { of: "moment", factor: NANOSECONDS_OF_A_DAY };
      case 8: {
        const unit = inside.get(2);
        const [[name] = [undefined]] = unit?.type === "struct" ? [...unit.value] : [];
        const factor = name === undefined ? undefined : { 1: 1_000_000n, 2: 1000n, 3: 1n }[name];
        return factor === undefined ? undefined : { of: "moment", factor };
      }
      case 10: {
        const signed = inside.get(2);
        return signed?.type === "boolean" && signed.value ? { of: "number" } : undefined;
      }
      default:
        return undefined;
    }
  }
  switch (Number(converted)) {
    case 0:
      return { of: "text" };
    case 5:
      return { of: "number", scale: Number(integerOf(element, 7) ?? 0n) };
    case 6:
      return { of: "moment", factor: NANOSECONDS_OF_A_DAY };
    case 9:
      return { of: "moment", factor: 1_000_000n };
    case 10:
      return { of: "moment", factor: 1000n };
    case 15:
    case 16:
    case 17:
    case 18:
      return { of: "number" };
    default:
      return undefined;
  }
}
