/** Literals among a call's arguments take the type that their parameter or their neighbours ask for. */
import type { FunctionSpecification } from "../functions/specification.ts";
import { cast } from "../syntax/build.ts";
import type { Call, Expression } from "../syntax/tree.ts";
import {
  BINARY,
  familyOf,
  INTERVAL,
  isPartOfDate,
  NUMERIC,
  type SqlType,
  TEXT,
  TIMESTAMP,
  TIMESTAMPTZ,
} from "../types.ts";
import { convertTo, toCommonType, typeOf, unify } from "./coercion.ts";
import { asText } from "./operators.ts";

export function convertArguments(call: Call, name: string, specification: FunctionSpecification): Call {
  const values = call.arguments.map((argument) => argument.value);
  let result: readonly Expression[] = values;
  switch (name) {
    case "coalesce":
    case "greatest":
    case "least":
      result = unify(values, name).expressions;
      break;
    case "lag":
    case "lead": {
      const [value, offset, otherwise] = values;
      if (value === undefined || offset === undefined || otherwise === undefined) break;
      const [first = value, last = otherwise] = unify([value, otherwise], name).expressions;
      result = [first, offset, last];
      break;
    }
    case "nullif": {
      const [a, b] = values;
      if (a === undefined || b === undefined) break;
      const [first, second] = toCommonType(a, b, call.span);
      // The result has the type of the first argument: 7 stays an integer when the other is a double.
      result = [a.kind === "string" ? first : a, second];
      break;
    }
    case "quote_literal":
    case "quote_nullable":
    case "string_agg":
      result = values.map(asText);
      break;
    case "concat":
    case "concat_ws":
      // The function formats booleans as t and f, unlike a cast.
      result = values.map((value) => (typeOf(value).kind === "boolean" ? value : asText(value)));
      break;
    case "generate_series":
      result = seriesArguments(values);
      break;
    case "encode":
      // PostgreSQL reads a constant as bytes, including backslash escapes; a constant that is cast to text stays a
      // text.
      result = values.map((value, index) => (index === 0 && isEscaped(value) ? convertTo(value, BINARY) : value));
      break;
    default:
      if (!values.some(({ kind }) => kind === "string")) break;
      result = values.map((value, index) => {
        const parameter = specification.parameters[Math.min(index, specification.parameters.length - 1)];
        if (value.kind !== "string") return value;
        if (parameter === "array") return convertTo(value, arrayAmong(values));
        if (parameter === "interval") return convertTo(value, INTERVAL);
        return parameter === "datetime" || (parameter === "temporal" && index > 0)
          ? convertTo(value, TIMESTAMP)
          : value;
      });
  }
  if (result === values) return call;
  return { ...call, arguments: result.map((value) => ({ name: undefined, value })) };
}

const isEscaped = (value: Expression): boolean =>
  value.kind === "string" && value.isText !== true && value.value.includes("\\");

/** A text is a bound of the other's type, or a step of times. */
function seriesArguments(values: readonly Expression[]): readonly Expression[] {
  const [from, to, step] = values;
  if (from === undefined || to === undefined) return values;
  // PostgreSQL reads text bounds with an interval step as timestamps with time zone.
  const areTexts = from.kind === "string" && to.kind === "string" && step !== undefined;
  const ofTexts = areTexts && (typeOf(step).kind === "interval" || step.kind === "string");
  const bounds = ofTexts
    ? [from, to].map((bound) => convertTo(bound, TIMESTAMPTZ))
    : unify([from, to], "generate_series").expressions;
  const isOfTimes = bounds.some((bound) => familyOf(typeOf(bound)) === "datetime");
  return step === undefined ? bounds : [...bounds, isOfTimes ? convertTo(step, INTERVAL) : step];
}

/** The array type of a text literal among these arguments. */
function arrayAmong(values: readonly Expression[]): SqlType {
  const others = values.filter((value) => value.kind !== "string").map(typeOf);
  const array = others.find((type) => type.kind === "array");
  return array ?? { kind: "array", element: others[0] ?? TEXT };
}

export function withTypedLiterals(call: Call, { polymorphic }: FunctionSpecification): Call {
  if (polymorphic !== true) return call;
  const [first, ...others] = call.arguments;
  if (first === undefined) return call;
  const { value } = first;
  if (value.kind !== "string" && value.kind !== "null") return call;
  const typed = cast(value, "text", { span: value.span, type: TEXT });
  return { ...call, arguments: [{ ...first, value: typed }, ...others] };
}

/** PostgreSQL computes `round`, `sqrt` or `stddev` of a field of EXTRACT as numerics, and those of a bigint as doubles. */
export function withNumericParts(call: Call, { result }: FunctionSpecification): Call {
  if (!call.arguments.some(({ value }) => isPartOfDate(typeOf(value)))) return call;
  if (result(call.arguments.map(({ value }) => typeOf(value))).kind !== "float") return call;
  const asNumeric = (value: Expression): Expression =>
    isPartOfDate(typeOf(value)) ? cast(value, "numeric", { span: value.span, type: NUMERIC }) : value;
  return { ...call, arguments: call.arguments.map((argument) => ({ ...argument, value: asNumeric(argument.value) })) };
}
