/** Values of a request's parameters in a structured query: `{"parameter": 1}` stands for the first. */
import { PlannerError } from "../diagnostics.ts";
import type { Parameters } from "../syntax/parameters.ts";

/** Arrays and objects in each other; a structured query has four levels. */
const MOST_DEPTH = 16;

/** The query with values in the place of references. Throws PARAMETER_INVALID. */
export function withParameterValues(json: unknown, parameters: Parameters): unknown {
  return replaced(json, parameters, 0);
}

function replaced(json: unknown, parameters: Parameters, depth: number): unknown {
  if (typeof json !== "object" || json === null) return json;
  if (depth > MOST_DEPTH) throw new PlannerError("CUBE_INVALID_QUERY", "cube is nested too deeply");
  if (Array.isArray(json)) return json.map((item) => replaced(item, parameters, depth + 1));
  const entries = Object.entries(json);
  const [only, ...others] = entries;
  if (only !== undefined && others.length === 0 && only[0] === "parameter") {
    const [, n] = only;
    if (typeof n === "number" && Number.isSafeInteger(n) && n > 0) return parameters.value(n);
    throw new PlannerError("PARAMETER_INVALID", "parameter must be an integer from 1", {
      hint: 'Write {"parameter": 1} for the first of the request\'s parameters.',
    });
  }
  return Object.fromEntries(entries.map(([name, value]) => [name, replaced(value, parameters, depth + 1)]));
}
