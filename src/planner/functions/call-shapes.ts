/** Building blocks for rewrites of unbound calls: argument counts and plain calls. */
import { renamed, values, withArguments } from "../syntax/build.ts";
import type { Call, Expression } from "../syntax/tree.ts";

/** Rewrites a call; `undefined` leaves it unchanged. */
export type Rewrite = (call: Call) => Expression | undefined;

/** A plain scalar call of the canonical function, without what an aggregate may carry. */
export function positional(call: Call, name: string, given: readonly Expression[]): Call {
  return withArguments(renamed(call, name), given);
}

export function one(call: Call, build: (a: Expression) => Expression | undefined): Expression | undefined {
  const [a, ...rest] = values(call);
  return a !== undefined && rest.length === 0 ? build(a) : undefined;
}

export function two(
  call: Call,
  build: (a: Expression, b: Expression) => Expression | undefined,
): Expression | undefined {
  const [a, b, ...rest] = values(call);
  return a !== undefined && b !== undefined && rest.length === 0 ? build(a, b) : undefined;
}

export function three(
  call: Call,
  build: (a: Expression, b: Expression, c: Expression) => Expression,
): Expression | undefined {
  const [a, b, c, ...rest] = values(call);
  return a !== undefined && b !== undefined && c !== undefined && rest.length === 0 ? build(a, b, c) : undefined;
}
