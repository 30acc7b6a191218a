/**
 * Encodes values as bytes, exactly for every representation of `types.ts`: a tag (NULL, value, or a special value of the type),
 * then the data of the type. One codec per column, created once per stream.
 */
import { ResultError } from "../../failure.ts";
import { arrowTypeName } from "../../names/arrow.ts";
import type { LogicalType, Value } from "../../types.ts";
import type { ByteReader, ByteWriter } from "./bytes.ts";

export interface ValueCodec {
  readonly write: (out: ByteWriter, value: Value) => void;
  /** @throws RangeError or TypeError for bytes that are not a value of the type. */
  readonly read: (bytes: ByteReader) => Value;
  /** Skips a value, and throws where `read` would: a skipped value can be read later. */
  readonly pass: (bytes: ByteReader) => void;
}

interface NotNullCodec {
  readonly write: (out: ByteWriter, value: Exclude<Value, null>) => void;
  readonly read: (bytes: ByteReader, tag: number) => Value;
  readonly pass: (bytes: ByteReader, tag: number) => void;
}

/** The tags: NULL, an ordinary value, and the special values of a type. */
export const NULL = 0;
export const VALUE = 1;
export const SECOND = 2;
const THIRD = 3;
const BEYOND_64_BITS = 4;

const INTEGER_RANGES = {
  int8: [-128, 127],
  int16: [-32_768, 32_767],
  int32: [-2_147_483_648, 2_147_483_647],
  uint8: [0, 255],
  uint16: [0, 65_535],
  uint32: [0, 4_294_967_295],
} as const;

/** @param column Named in the error when a value does not match its type (ResultError VALUE_MISMATCH). */
export function valueCodec(type: LogicalType, column: string): ValueCodec {
  const codec = notNullCodec(type, column);
  return {
    write(out, value) {
      if (value === null) out.uint8(NULL);
      else codec.write(out, value);
    },
    read(bytes) {
      const tag = bytes.uint8();
      return tag === NULL ? null : codec.read(bytes, tag);
    },
    pass(bytes) {
      const tag = bytes.uint8();
      if (tag !== NULL) codec.pass(bytes, tag);
    },
  };
}

function notNullCodec(type: LogicalType, column: string): NotNullCodec {
  const fail = (): never => {
    throw new ResultError("VALUE_MISMATCH", `A value of column "${column}" is not ${arrowTypeName(type)}.`, { column });
  };
  switch (type.kind) {
    case "boolean":
      return {
        write: (out, value) => (typeof value === "boolean" ? out.uint8(value ? VALUE : SECOND) : fail()),
        read: (_, tag) => (tag === SECOND ? false : only(tag) === VALUE),
        pass: (_, tag) => tag === SECOND || only(tag),
      };
    case "int8":
    case "int16":
    case "int32":
    case "uint8":
    case "uint16":
    case "uint32":
      return smallInteger(type.kind, fail);
    case "int64":
      return {
        write(out, value) {
          if (typeof value !== "bigint" || BigInt.asIntN(64, value) !== value) return fail();
          out.uint8(VALUE);
          out.int64(value);
        },
        read: (bytes, tag) => only(tag) && bytes.int64(),
        pass: (bytes, tag) => only(tag) && bytes.take(8),
      };
    case "uint64":
      return {
        write(out, value) {
          if (typeof value !== "bigint" || BigInt.asUintN(64, value) !== value) return fail();
          out.uint8(VALUE);
          out.uint64(value);
        },
        read: (bytes, tag) => only(tag) && bytes.uint64(),
        pass: (bytes, tag) => only(tag) && bytes.take(8),
      };
    case "float32":
    case "float64":
    case "date":
    case "time":
      return {
        write(out, value) {
          if (typeof value !== "number") return fail();
          out.uint8(VALUE);
          out.float64(value);
        },
        read: (bytes, tag) => only(tag) && bytes.float64(),
        pass: (bytes, tag) => only(tag) && bytes.take(8),
      };
    case "decimal":
    case "string":
    case "uuid":
    case "json":
    case "opaque":
      return {
        write(out, value) {
          if (typeof value !== "string") return fail();
          out.uint8(VALUE);
          out.text(value);
        },
        read: (bytes, tag) => only(tag) && bytes.text(),
        pass: (bytes, tag) => only(tag) && bytes.passText(),
      };
    case "binary":
      return {
        write(out, value) {
          if (!(value instanceof Uint8Array)) return fail();
          out.uint8(VALUE);
          out.blob(value);
        },
        read: (bytes, tag) => only(tag) && bytes.blob(),
        pass: (bytes, tag) => only(tag) && bytes.take(bytes.uint32()),
      };
    case "timestamp":
      return timestamp(fail);
    case "interval":
      return interval(fail);
    case "list":
      return sequence(valueCodec(type.element, column), fail);
    case "struct":
      return tuple(
        type.fields.map((field) => valueCodec(field.type, column)),
        fail,
      );
    case "map": {
      const pair = tuple([valueCodec(type.key, column), valueCodec(type.value, column)], fail);
      return sequence(
        {
          write: (out, value) => (value === null ? fail() : pair.write(out, value)),
          read: (bytes) => pair.read(bytes, bytes.uint8()),
          pass: (bytes) => pair.pass(bytes, bytes.uint8()),
        },
        fail,
      );
    }
    case "null":
      return { write: fail, read: (_, tag) => only(tag) && corrupt(), pass: corrupt };
    default:
      return type satisfies never;
  }
}

function smallInteger(kind: keyof typeof INTEGER_RANGES, fail: () => never): NotNullCodec {
  const [min, max] = INTEGER_RANGES[kind];
  const signed = min < 0;
  const read = (bytes: ByteReader, tag: number): number => {
    only(tag);
    const value = signed ? bytes.int32() : bytes.uint32();
    return value < min || value > max ? corrupt() : value;
  };
  return {
    write(out, value) {
      if (typeof value !== "number" || !Number.isInteger(value) || value < min || value > max) return fail();
      out.uint8(VALUE);
      if (signed) out.int32(value);
      else out.uint32(value);
    },
    read,
    pass: read,
  };
}

/** Nanoseconds exceed 64 bits in 2262, but sources have later years: such a count is sent as decimal digits. */
function timestamp(fail: () => never): NotNullCodec {
  const read = (bytes: ByteReader, tag: number): Value => {
    switch (tag) {
      case VALUE:
        return bytes.int64();
      case SECOND:
        return "infinity";
      case THIRD:
        return "-infinity";
      case BEYOND_64_BITS: {
        const digits = bytes.text();
        return /^-?\d{1,60}$/.test(digits) ? BigInt(digits) : corrupt();
      }
      default:
        return corrupt();
    }
  };
  return {
    write(out, value) {
      if (value === "infinity") return out.uint8(SECOND);
      if (value === "-infinity") return out.uint8(THIRD);
      if (typeof value !== "bigint") return fail();
      if (BigInt.asIntN(64, value) === value) {
        out.uint8(VALUE);
        out.int64(value);
      } else {
        out.uint8(BEYOND_64_BITS);
        out.text(String(value));
      }
    },
    read,
    pass: (bytes, tag) => (tag === VALUE ? bytes.take(8) : read(bytes, tag)),
  };
}

function interval(fail: () => never): NotNullCodec {
  return {
    write(out, value) {
      if (typeof value !== "object" || !("microseconds" in value)) return fail();
      if (BigInt.asIntN(64, value.microseconds) !== value.microseconds) return fail();
      out.uint8(VALUE);
      out.float64(value.months);
      out.float64(value.days);
      out.int64(value.microseconds);
    },
    read: (bytes, tag) => only(tag) && { months: bytes.float64(), days: bytes.float64(), microseconds: bytes.int64() },
    pass: (bytes, tag) => only(tag) && bytes.take(24),
  };
}

function sequence(element: ValueCodec, fail: () => never): NotNullCodec {
  return {
    write(out, value) {
      if (!isNested(value)) return fail();
      out.uint8(VALUE);
      out.uint32(value.length);
      for (const item of value) element.write(out, item);
    },
    read(bytes, tag) {
      only(tag);
      const items: Value[] = [];
      // Every element takes a byte, so a wrong count fails at the end of the payload.
      for (let left = bytes.uint32(); left > 0; left--) items.push(element.read(bytes));
      return items;
    },
    pass(bytes, tag) {
      only(tag);
      for (let left = bytes.uint32(); left > 0; left--) element.pass(bytes);
    },
  };
}

function tuple(codecs: readonly ValueCodec[], fail: () => never): NotNullCodec {
  return {
    write(out, value) {
      if (!isNested(value) || value.length !== codecs.length) return fail();
      out.uint8(VALUE);
      codecs.forEach((codec, index) => {
        const item = value[index];
        if (item === undefined) fail();
        else codec.write(out, item);
      });
    },
    read(bytes, tag) {
      only(tag);
      return codecs.map((codec) => codec.read(bytes));
    },
    pass(bytes, tag) {
      only(tag);
      for (const codec of codecs) codec.pass(bytes);
    },
  };
}

function isNested(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

/** Skips the tag of an ordinary value, the only tag of most types. */
function only(tag: number): typeof VALUE {
  return tag === VALUE ? VALUE : corrupt();
}

function corrupt(): never {
  throw new RangeError("Not a value of the type.");
}
