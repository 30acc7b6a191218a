/** Definitions of functions in the input language (`means` in the catalogue), in place of a rule of the target. */
import type { ExpressionBinding } from "../binding/binding.ts";
import type { BindingContext } from "../binding/context.ts";
import { bindExpression } from "../binding/expression.ts";
import { Scope } from "../binding/scope.ts";
import { PlannerError, unsupported } from "../diagnostics.ts";
import { functionName, isAggregateCall } from "../functions/calls.ts";
import { findFunction, meaningsOf } from "../functions/catalogue.ts";
import type { Meaning } from "../functions/specification.ts";
import { DEFAULT_LIMITS } from "../limits.ts";
import { values } from "../syntax/build.ts";
import { parseExpression } from "../syntax/parser.ts";
import { partOf } from "../syntax/print-spelled.ts";
import { expressionsOnly, mapExpression } from "../syntax/rewrite.ts";
import { NOWHERE, withoutSpans } from "../syntax/spans.ts";
import type { Call, Expression, Identifier } from "../syntax/tree.ts";
import { typeOrUnknown } from "../types.ts";
import { countOf } from "./numbers/written-counts.ts";
import { argumentsLike, describeParameters } from "./templates/parameters.ts";

/** A tree over the arguments of a call. */
export interface Definition {
  readonly tree: Expression;
  /** The arguments that the definition names more than once, from 0. */
  readonly repeated: readonly number[];
}

interface Read {
  readonly fits: (list: readonly Expression[]) => boolean;
  readonly of: (list: readonly Expression[]) => Definition | undefined;
}

/** The first argument in a text that `definitionOf` reads. */
export const PART = '"$1"';

/** A definition over the arguments of a call or the operands of an operator: in `sql`, `PART` is the first one and `"$2"` the second. */
export function definitionOf(sql: string): Definition {
  const tree = withoutSpans(parseExpression(sql, { limits: DEFAULT_LIMITS }));
  return { tree, repeated: repeatedPlaces(sql) };
}

/** The arguments, from 0, that `sql` names more than once. */
function repeatedPlaces(sql: string): readonly number[] {
  const places = [...sql.matchAll(/"\$([1-9])"/g)].map(([, place]) => Number(place) - 1);
  return places.filter((place, index) => places.indexOf(place) !== index);
}

const named = (sql: string): string => sql.replaceAll(/\$[1-9]/g, '"$&"');

/** Texts are read when they are first used. */
const read = new Map<Meaning, Read>();

function readingOf(meaning: Meaning): Read {
  let reading = read.get(meaning);
  if (reading === undefined) {
    const { parameters, sql } = meaning;
    const written = typeof sql === "string" ? definitionOf(named(sql)) : undefined;
    const made = (list: readonly Expression[]): Definition | undefined => {
      const text = typeof sql === "string" ? undefined : sql(list);
      return text === undefined ? undefined : definitionOf(named(text));
    };
    reading = { fits: argumentsLike(parameters), of: written === undefined ? made : () => written };
    read.set(meaning, reading);
  }
  return reading;
}

/** The definition for a call whose children are lowered; `undefined` for functions without one. */
export function definitionFor(node: Call): Definition | undefined {
  const meanings = meaningsOf(functionName(node));
  if (meanings.length === 0) return undefined;
  const list = values(node);
  const definition = meanings
    .map(readingOf)
    .find(({ fits }) => fits(list))
    ?.of(list);
  if (definition === undefined) {
    const name = functionName(node);
    const hint = `${name} takes ${meanings.map(describe).join("; or ")}.`;
    throw unsupported(`${name} with these arguments`, node.span, hint);
  }
  // The sort keys of a window are lowered once.
  if (node.distinct || node.orderBy.length > 0 || node.over !== undefined) throw refused(node);
  return definition;
}

/** The definition of a call over these arguments, bound. The arguments and the FILTER are lowered already. */
export function boundDefinition(
  { tree }: Definition,
  node: Pick<Call, "filter" | "span">,
  parts: readonly Expression[],
  context: BindingContext,
): Expression {
  const bound = context.asDefinition(() => bindExpression(tree, bindingOf(parts, context)));
  return withParts(bound, parts, node);
}

/** Runs `work`, which lowers the definition: the caller wrote none of its constructs, so a refusal names the call. */
export function namingCall<T>(node: Call, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof PlannerError && error.reason === "UNSUPPORTED_ON_SOURCE") throw refused(node);
    throw error;
  }
}

function refused(node: Call): PlannerError {
  const name = functionName(node);
  return unsupported(node.over === undefined ? name : `${name} over a window`, node.span);
}

const describe = ({ parameters }: Meaning): string => describeParameters(parameters);

/** A definition names no columns and holds no queries. Literals are bound as they are, because their texts may decide. */
function bindingOf(parts: readonly Expression[], context: BindingContext): ExpressionBinding {
  const none = (): never => {
    throw new TypeError("a definition holds no query");
  };
  const aliases = (name: Identifier): Expression | undefined => {
    const part = parts[partOf(name.name) ?? -1];
    if (part === undefined || part.kind === "number" || part.kind === "string") return part;
    return { kind: "column", parts: [name], span: NOWHERE, type: typeOrUnknown(part) };
  };
  return {
    binder: { context, bindExpression, bindQuery: none, bindTableQuery: none },
    scope: new Scope(undefined, new Map()),
    clause: { name: "a definition", aggregates: true, windows: false, aliases },
    findings: { aggregates: false, windows: false },
  };
}

/** The arguments in their places; each aggregate of the definition is over the rows of the call. */
function withParts(
  definition: Expression,
  parts: readonly Expression[],
  { filter, span }: Pick<Call, "filter" | "span">,
): Expression {
  const mapper = expressionsOnly((node): Expression => {
    const place = node.kind === "column" ? partOf(node.parts[0]?.name ?? "") : undefined;
    if (place !== undefined) return parts[place] ?? node;
    const mapped: Expression = { ...mapExpression(node, mapper), span };
    const isOverRows = filter !== undefined && mapped.kind === "call" && isAggregate(mapped);
    return isOverRows ? { ...mapped, filter } : decided(mapped);
  });
  return mapper.expression(definition);
}

/** CASE without the branches that the call's literals decide. */
function decided(node: Expression): Expression {
  if (node.kind !== "case" || node.operand !== undefined) return node;
  const branches = node.branches.filter(({ when }) => truthOf(when) !== false);
  const always = branches.findIndex(({ when }) => truthOf(when) === true);
  const kept = always < 0 ? branches : branches.slice(0, always);
  const otherwise = always < 0 ? node.otherwise : branches[always]?.then;
  return kept.length === 0 && otherwise !== undefined ? otherwise : { ...node, branches: kept, otherwise };
}

const COMPARE: Readonly<Record<string, (left: number, right: number) => boolean>> = {
  "<": (left, right) => left < right,
  ">": (left, right) => left > right,
  "=": (left, right) => left === right,
};

function truthOf(node: Expression): boolean | undefined {
  if (node.kind !== "binary") return undefined;
  const [left, right] = [countOf(node.left), countOf(node.right)];
  return left === undefined || right === undefined ? undefined : COMPARE[node.operator]?.(left, right);
}

const isAggregate = (node: Call): boolean => isAggregateCall(node, findFunction(functionName(node)));
