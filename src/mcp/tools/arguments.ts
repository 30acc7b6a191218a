/** Checks arguments of a tool by its schema, with messages that say what to write instead. */
import { nearestNames } from "../../planner/suggest.ts";
import { ToolFailure } from "../answers.ts";
import type { ArgumentSchema, Arguments, InputSchema } from "./tool.ts";

/** Longest part of a name that a message repeats. */
const SHOWN = 60;
const MOST_PROBLEMS = 10;

/** Null is the same as no argument, because some clients fill every member. Throws `ToolFailure`. */
export function checkedArguments(given: unknown, schema: InputSchema): Arguments {
  if (given !== undefined && (typeof given !== "object" || given === null || Array.isArray(given))) {
    throw wrong(["The arguments must be an object."]);
  }
  const present = Object.entries(given ?? {}).filter(([, value]) => value !== null && value !== undefined);
  const known = Object.keys(schema.properties);
  const problems = present.flatMap(([name, value]) => {
    const expected = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
    if (expected !== undefined) return problemsIn(name, value, expected);
    const [near] = nearestNames(name.slice(0, SHOWN), known);
    const hint = near === undefined ? `Arguments are ${known.join(", ")}.` : `Did you mean ${near}?`;
    return [`The tool has no argument ${name.slice(0, SHOWN)}. ${hint}`];
  });
  const names = new Set(present.map(([name]) => name));
  for (const name of schema.required ?? []) if (!names.has(name)) problems.push(`The argument ${name} is missing.`);
  if (problems.length > 0) throw wrong(problems.slice(0, MOST_PROBLEMS));
  return Object.fromEntries(present);
}

function problemsIn(path: string, value: unknown, schema: ArgumentSchema | Readonly<Record<string, never>>): string[] {
  if (!("type" in schema) || schema.type === undefined) return [];
  const { type, enum: allowed, items, minimum, maximum, minItems, maxItems, maxLength } = schema as ArgumentSchema;
  switch (type) {
    case "string":
      if (typeof value !== "string") return [`${path} must be a string.`];
      if (allowed !== undefined && !allowed.includes(value)) {
        const [near] = nearestNames(value.slice(0, SHOWN), allowed);
        return [`${path} must be one of ${allowed.join(", ")}.${near === undefined ? "" : ` Did you mean ${near}?`}`];
      }
      if (maxLength !== undefined && value.length > maxLength)
        return [`${path} has more than ${maxLength} characters.`];
      return [];
    case "integer":
      if (typeof value !== "number" || !Number.isInteger(value)) return [`${path} must be an integer.`];
      if (minimum !== undefined && value < minimum) return [`${path} must be ${minimum} or more.`];
      if (maximum !== undefined && value > maximum) return [`${path} must be ${maximum} or less.`];
      return [];
    case "boolean":
      return typeof value === "boolean" ? [] : [`${path} must be true or false.`];
    case "array":
      if (!Array.isArray(value)) return [`${path} must be a list.`];
      if (minItems !== undefined && value.length < minItems) return [`${path} needs ${minItems} or more entries.`];
      if (maxItems !== undefined && value.length > maxItems) return [`${path} may have ${maxItems} entries at most.`];
      return items === undefined
        ? []
        : value.flatMap((each, index) => problemsIn(`${path}[${index}]`, each, items)).slice(0, MOST_PROBLEMS);
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value) ? [] : [`${path} must be an object.`];
    default:
      return type satisfies never;
  }
}

function wrong(problems: readonly string[]): ToolFailure {
  return new ToolFailure(problems.join("\n"), { errorCode: "REQUEST_SHAPE", reason: "ARGUMENTS", problems });
}
