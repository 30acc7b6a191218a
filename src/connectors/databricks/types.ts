/**
 * Parses the types in result descriptions (`type_text`: `DECIMAL(10,2)`, `ARRAY<STRUCT<a: INT, b: MAP<STRING, DATE>>>`), and
 * checks that the Arrow data match. The description defines the type: a result without rows has nothing else.
 * https://docs.databricks.com/aws/en/sql/language-manual/sql-ref-datatypes
 */
import type { LogicalType } from "../../result/types.ts";

const SIMPLE: ReadonlyMap<string, LogicalType> = new Map<string, LogicalType>([
  ["BOOLEAN", { kind: "boolean" }],
  ["TINYINT", { kind: "int8" }],
  ["BYTE", { kind: "int8" }],
  ["SMALLINT", { kind: "int16" }],
  ["SHORT", { kind: "int16" }],
  ["INT", { kind: "int32" }],
  ["INTEGER", { kind: "int32" }],
  ["BIGINT", { kind: "int64" }],
  ["LONG", { kind: "int64" }],
  ["FLOAT", { kind: "float32" }],
  ["REAL", { kind: "float32" }],
  ["DOUBLE", { kind: "float64" }],
  ["STRING", { kind: "string" }],
  ["CHAR", { kind: "string" }],
  ["VARCHAR", { kind: "string" }],
  ["BINARY", { kind: "binary" }],
  ["DATE", { kind: "date" }],
  ["TIMESTAMP", { kind: "timestamp", unit: "us", zone: "UTC" }],
  ["TIMESTAMP_LTZ", { kind: "timestamp", unit: "us", zone: "UTC" }],
  ["TIMESTAMP_NTZ", { kind: "timestamp", unit: "us", zone: undefined }],
  ["INTERVAL", { kind: "interval" }],
  ["VARIANT", { kind: "json" }],
  ["VOID", { kind: "null" }],
]);

const MAX_DEPTH = 100;

/** An unknown type is opaque, with its text as the name. */
export function typeOf(text: string): LogicalType {
  const reader = new Reader(text);
  const type = reader.type(0);
  return type !== undefined && reader.isAtEnd() ? type : { kind: "opaque", name: text };
}

/** Each method advances the position, or returns undefined for unexpected text. */
class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  isAtEnd(): boolean {
    return this.#match(/\s*$/y) !== undefined;
  }

  type(depth: number): LogicalType | undefined {
    if (depth > MAX_DEPTH) return undefined;
    const name = this.#match(/\s*(\w+)/y)?.toUpperCase();
    switch (name) {
      case "DECIMAL": {
        const [, precision, scale = "0"] = /^(\d+)(?:, ?(\d+))?$/.exec(this.#match(/\(([\d, ]+)\)/y) ?? "10,0") ?? [];
        return precision === undefined
          ? undefined
          : { kind: "decimal", precision: Number(precision), scale: Number(scale) };
      }
      case "ARRAY": {
        const [element] = this.#parts(depth, 1) ?? [];
        return element && { kind: "list", element };
      }
      case "MAP": {
        const [key, value] = this.#parts(depth, 2) ?? [];
        return key && value && { kind: "map", key, value };
      }
      case "STRUCT":
        return this.#struct(depth);
      case "INTERVAL":
        this.#match(/(?: (?:YEAR|MONTH|DAY|HOUR|MINUTE|SECOND|TO))+\b/iy);
        break;
      case "CHAR":
      case "VARCHAR":
        this.#match(/\(\d+\)/y);
        break;
      case "STRING":
        this.#match(/ COLLATE [\w.]+/iy);
        break;
    }
    return SIMPLE.get(name ?? "");
  }

  #parts(depth: number, count: number): readonly LogicalType[] | undefined {
    const parts: LogicalType[] = [];
    for (let opening = /\s*</y; parts.length < count; opening = /\s*,/y) {
      if (this.#match(opening) === undefined) return undefined;
      const part = this.type(depth + 1);
      if (part === undefined) return undefined;
      parts.push(part);
    }
    return this.#match(/\s*>/y) === undefined ? undefined : parts;
  }

  #struct(depth: number): LogicalType | undefined {
    const fields: { readonly name: string; readonly type: LogicalType }[] = [];
    if (this.#match(/\s*<\s*>/y) !== undefined) return { kind: "struct", fields };
    for (let opening = /\s*</y; this.#match(opening) !== undefined; opening = /\s*,/y) {
      const quoted = this.#match(/\s*`((?:[^`]|``)*)`/y)?.replaceAll("``", "`");
      const name = quoted ?? this.#match(/\s*([^:<>,`]+)/y);
      if (name === undefined || this.#match(/\s*:/y) === undefined) return undefined;
      const type = this.type(depth + 1);
      if (type === undefined) return undefined;
      fields.push({ name, type });
      this.#match(/ NOT NULL/iy);
      this.#match(/ COMMENT '(?:[^'\\]|\\.|'')*'/iy);
    }
    return this.#match(/\s*>/y) === undefined ? undefined : { kind: "struct", fields };
  }

  /** The first group, or the whole match at the current position. */
  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found === null) return undefined;
    this.#at = pattern.lastIndex;
    return found[1] ?? found[0];
  }
}

/** Whether values of the type `sent` are values of the type `described`. VARIANT and unknown types may be sent as texts. */
export function isSentAs(described: LogicalType, sent: LogicalType): boolean {
  switch (described.kind) {
    case "json":
      return sent.kind === "json" || sent.kind === "string";
    case "opaque":
      return sent.kind === "string";
    case "decimal":
      return sent.kind === "decimal" && sent.precision === described.precision && sent.scale === described.scale;
    case "timestamp":
      return sent.kind === "timestamp" && sent.unit === described.unit && sent.zone === described.zone;
    case "list":
      return sent.kind === "list" && isSentAs(described.element, sent.element);
    case "map":
      return sent.kind === "map" && isSentAs(described.key, sent.key) && isSentAs(described.value, sent.value);
    case "struct":
      return (
        sent.kind === "struct" &&
        sent.fields.length === described.fields.length &&
        described.fields.every(({ type }, index) => isSentAs(type, sent.fields[index]?.type ?? { kind: "null" }))
      );
    default:
      return sent.kind === described.kind;
  }
}
