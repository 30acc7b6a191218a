/**
 * Requests with a wrong structure: the `detail` body that existing clients know (docs/spec/contract.md#error-bodies,
 * docs/decisions/0004-errors-that-can-be-repaired.md).
 */
import type * as z from "zod/mini";

/** One problem. `loc` begins with `path`, `query`, `header` or `body`; the value itself is never included. */
export interface Problem {
  readonly type: string;
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly ctx?: Readonly<Record<string, unknown>>;
}

/** All problems of one request; the status is 422 unless `status` differs. */
export class RequestProblems extends Error {
  override readonly name = "RequestProblems";
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super("The request is not of the expected shape.");
    this.problems = problems;
  }
}

/** `'a', 'b' or 'c'` */
export function alternatives(names: readonly string[]): string {
  const quoted = names.map((name) => `'${name}'`);
  const last = quoted.pop();
  return quoted.length === 0 ? (last ?? "") : `${quoted.join(", ")} or ${last}`;
}

const EXPECTED: Readonly<Record<string, { readonly type: string; readonly msg: string }>> = {
  string: { type: "string_type", msg: "Input should be a valid string" },
  object: { type: "dict_type", msg: "Input should be a valid dictionary" },
  record: { type: "dict_type", msg: "Input should be a valid dictionary" },
  array: { type: "list_type", msg: "Input should be a valid list" },
  boolean: { type: "bool_type", msg: "Input should be a valid boolean" },
  number: { type: "int_type", msg: "Input should be a valid integer" },
  int: { type: "int_from_float", msg: "Input should be a valid integer, got a number with a fractional part" },
};

export const MISSING = { type: "missing", msg: "Field required" } as const;

/** Converts the issues of a body to the `detail` form. Only the structure of `body`, the parsed value, is inspected. */
export function problemsOf(issues: readonly z.core.$ZodIssue[], body: unknown): Problem[] {
  return issues.map((issue) => {
    const path = issue.path.map((part) => (typeof part === "number" ? part : String(part)));
    const loc = ["body", ...path];
    switch (issue.code) {
      case "invalid_type":
        if (path.length === 0) return { type: "model_attributes_type", loc, msg: MODEL_MESSAGE };
        if (isAbsent(body, path)) return { ...MISSING, loc };
        return { ...(EXPECTED[issue.expected] ?? UNKNOWN), loc };
      case "too_small": {
        const least = Number(issue.minimum);
        const msg = `Input should be greater than or equal to ${least}`;
        return { type: "greater_than_equal", loc, msg, ctx: { ge: least } };
      }
      case "too_big": {
        const most = Number(issue.maximum);
        if (issue.origin === "string") {
          const msg = `String should have at most ${most} characters`;
          return { type: "string_too_long", loc, msg, ctx: { max_length: most } };
        }
        if (most < Number.MAX_SAFE_INTEGER) {
          const msg = `Input should be less than or equal to ${most}`;
          return { type: "less_than_equal", loc, msg, ctx: { le: most } };
        }
        return {
          type: "int_parsing_size",
          loc,
          msg: "Unable to parse input string as an integer, exceeded maximum size",
        };
      }
      default:
        return { ...UNKNOWN, loc };
    }
  });
}

const MODEL_MESSAGE = "Input should be a valid dictionary or object to extract fields from";
const UNKNOWN = { type: "value_error", msg: "Value error" } as const;

function isAbsent(body: unknown, path: readonly (string | number)[]): boolean {
  let value: unknown = body;
  for (const part of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return true;
    value = (value as Record<string | number, unknown>)[part];
  }
  return value === undefined;
}
