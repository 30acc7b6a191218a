import type { LogicalType, TimeUnit } from "../types.ts";

/**
 * Arrow's name of a type, used by `modern` answers (docs/spec/contract.md#values): `int32`, `decimal128(12, 2)`,
 * `timestamp[us, tz=UTC]`, `list<item: int32>`. `zone` is the display zone, which replaces the zone of a zoned timestamp.
 */
export function arrowTypeName(type: LogicalType, zone?: string): string {
  switch (type.kind) {
    case "boolean":
      return "bool";
    case "int8":
    case "int16":
    case "int32":
    case "int64":
    case "uint8":
    case "uint16":
    case "uint32":
    case "uint64":
    case "binary":
    case "null":
      return type.kind;
    case "float32":
      return "float";
    case "float64":
      return "double";
    case "decimal":
      return decimalName(type.precision, type.scale);
    case "string":
    case "uuid":
    case "json":
    case "opaque":
      return "string";
    case "date":
      return "date32[day]";
    case "interval":
      return "month_day_nano_interval";
    case "time":
      return `${TIME_WIDTH[type.unit]}[${type.unit}]`;
    case "timestamp":
      return type.zone === undefined ? `timestamp[${type.unit}]` : `timestamp[${type.unit}, tz=${zone ?? type.zone}]`;
    case "list":
      return `list<item: ${arrowTypeName(type.element, zone)}>`;
    case "struct":
      return `struct<${type.fields.map((field) => `${field.name}: ${arrowTypeName(field.type, zone)}`).join(", ")}>`;
    case "map":
      return `map<${arrowTypeName(type.key, zone)}, ${arrowTypeName(type.value, zone)}>`;
    default:
      return type satisfies never;
  }
}

const TIME_WIDTH: Readonly<Record<TimeUnit, string>> = { s: "time32", ms: "time32", us: "time64", ns: "time64" };

/**
 * A decimal of unknown size has the name that the reference uses for every decimal of PostgreSQL
 * (docs/decisions/0002-exact-values.md).
 */
function decimalName(precision: number | undefined, scale: number | undefined): string {
  if (precision === undefined || scale === undefined) return "decimal128(38, 9)";
  return `${precision > 38 ? "decimal256" : "decimal128"}(${precision}, ${scale})`;
}
