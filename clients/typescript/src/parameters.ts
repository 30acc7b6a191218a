/** Values of JavaScript as parameters of a statement. */
import { SiskinError } from "./failure.ts";
import type { Parameter } from "./types.ts";

/** JSON numbers with more digits are refused by the service, because JSON does not keep them. */
const EXACT_DIGITS = 15;

export function wireParameters(parameters: readonly Parameter[] | undefined): readonly unknown[] | undefined {
  return parameters?.map((value, index) => {
    if (!Array.isArray(value)) return scalar(value as Parameter, index);
    const elements = (value as readonly Parameter[]).map((each) => scalar(each, index));
    const types = new Set(elements.flatMap((each) => (isTyped(each) ? [each.type] : [])));
    if (types.size === 0) return elements;
    const [type] = types;
    const values = elements.map((each) => (isTyped(each) ? each.value : typeof each === "number" ? `${each}` : each));
    const isPlain = (each: unknown): boolean => typeof each === "number" && type === "double precision";
    const isMixed = types.size > 1 || !elements.every((each) => each === null || isTyped(each) || isPlain(each));
    if (isMixed) throw invalid(index, "is a list of several types");
    return { type: `${type}[]`, value: values };
  });
}

function scalar(value: Parameter, index: number): unknown {
  switch (typeof value) {
    case "bigint":
      return { type: BigInt.asIntN(64, value) === value ? "bigint" : "decimal(38,0)", value: `${value}` };
    case "number":
      if (!Number.isFinite(value)) throw invalid(index, `is ${value}`);
      return digitsOf(value) > EXACT_DIGITS || `${value}`.includes("e")
        ? { type: "double precision", value: `${value}` }
        : value;
    case "object":
      if (value instanceof Date) {
        if (Number.isNaN(value.getTime())) throw invalid(index, "is an invalid Date");
        return { type: "timestamp with time zone", value: value.toISOString() };
      }
      if (value instanceof Uint8Array) return { type: "bytea", value: `\\x${hexadecimal(value)}` };
      if (ArrayBuffer.isView(value)) throw invalid(index, "is binary and no Uint8Array");
      if (Array.isArray(value)) throw invalid(index, "is a list of lists");
      return value;
    case "string":
    case "boolean":
      return value;
    default:
      throw invalid(index, `is of type ${typeof value}`);
  }
}

const hexadecimal = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

const digitsOf = (value: number): number => `${value}`.replace(/e.*|\D/g, "").replace(/^0+/, "").length;

const isTyped = (value: unknown): value is { readonly type: string; readonly value: unknown } =>
  typeof value === "object" && value !== null;

function invalid(index: number, fault: string): SiskinError {
  return new SiskinError("PARAMETER_INVALID", `parameters[${index}] ${fault}.`, {
    hint: 'Send a value, or {type: "numeric", value: "1.5"}.',
  });
}
