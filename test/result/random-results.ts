/** Types and values of every kind, nested to a depth of three, from a seeded generator. */
import type { LogicalType, Value } from "../../src/result/types.ts";

const KINDS = [
  ...["boolean", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64"],
  ...["decimal", "string", "uuid", "json", "binary", "date", "interval", "time", "timestamp", "opaque", "null"],
  ...["list", "struct", "map"],
] as readonly LogicalType["kind"][];

export function randomType(random: () => number, depth: number): LogicalType {
  const pick = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)] as T;
  const unit = pick(["s", "ms", "us", "ns"] as const);
  const kind = pick(depth > 2 ? KINDS.slice(0, -3) : KINDS);
  switch (kind) {
    case "decimal":
      return random() < 0.5 ? { kind } : { kind, precision: 20, scale: 3 };
    case "time":
      return { kind, unit };
    case "timestamp":
      return { kind, unit, zone: pick([undefined, "UTC", "+02:00"]) };
    case "list":
      return { kind, element: randomType(random, depth + 1) };
    case "map":
      return { kind, key: randomType(random, depth + 1), value: randomType(random, depth + 1) };
    case "struct":
      return {
        kind,
        fields: Array.from({ length: Math.floor(random() * 4) }, (_, index) => ({
          name: `f${index}`,
          type: randomType(random, depth + 1),
        })),
      };
    case "opaque":
      return { kind, name: "point" };
    default:
      return { kind };
  }
}

export function randomValue(type: LogicalType, random: () => number): Value {
  if (random() < 0.15) return null;
  const integer = (min: number, max: number): number => Math.floor(min + random() * (max - min + 1));
  const big = (bits: number): bigint => {
    let value = 0n;
    for (let index = 0; index < 64; index += 16) value = (value << 16n) | BigInt(integer(0, 65_535));
    return value & ((1n << BigInt(bits)) - 1n);
  };
  const text = (): string => {
    const alphabet = ["a", "Z", " ", '"', "\\", "\n", "é", "真", "😀", "\ud800", "\udc00", "\ufeff", "\u0000"];
    return Array.from({ length: integer(0, 60) }, () => alphabet[integer(0, alphabet.length - 1)]).join("");
  };
  switch (type.kind) {
    case "boolean":
      return random() < 0.5;
    case "int8":
      return integer(-128, 127);
    case "int16":
      return integer(-32_768, 32_767);
    case "int32":
      return integer(-2_147_483_648, 2_147_483_647);
    case "uint8":
      return integer(0, 255);
    case "uint16":
      return integer(0, 65_535);
    case "uint32":
      return integer(0, 4_294_967_295);
    case "int64":
      return BigInt.asIntN(64, big(64));
    case "uint64":
      return big(64);
    case "float32":
    case "float64":
      return [random(), -0, Number.NaN, Number.POSITIVE_INFINITY, random() * 1e300, 5e-324][integer(0, 5)] as number;
    case "decimal":
      return ["NaN", `${big(64)}.${big(64)}`, `-${big(60)}`, "0.000"][integer(0, 3)] as string;
    case "string":
    case "uuid":
    case "json":
    case "opaque":
      return text();
    case "binary":
      return Uint8Array.from({ length: integer(0, 300) }, () => integer(0, 255));
    case "date":
      return random() < 0.1 ? Number.NEGATIVE_INFINITY : integer(-1e6, 1e9);
    case "time":
      return integer(0, 86_400_000_000_000);
    case "timestamp":
      return ["infinity", "-infinity", big(80) * 1_000_003n, BigInt.asIntN(64, big(64))][integer(0, 3)] as Value;
    case "interval":
      return { months: integer(-1e6, 1e6), days: integer(-1e6, 1e6), microseconds: BigInt.asIntN(64, big(64)) };
    case "list":
      return Array.from({ length: integer(0, 4) }, () => randomValue(type.element, random));
    case "map":
      return Array.from({ length: integer(0, 3) }, () => [
        randomValue(type.key, random),
        randomValue(type.value, random),
      ]);
    case "struct":
      return type.fields.map((field) => randomValue(field.type, random));
    case "null":
      return null;
    default:
      return type satisfies never;
  }
}
