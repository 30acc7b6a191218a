/**
 * A target's rules for each function, operator and field of the input language, and for each kind of expression. The tables are
 * complete by type: a missing name, or one that the language does not have, does not compile. A missing rule must never mean "as
 * PostgreSQL does".
 */
import type { ExtractField } from "../binding/extract.ts";
import type { DefinedName, FunctionName } from "../functions/catalogue.ts";
import type { Binary, BinaryOperator, Call, Expression, Extract as ExtractNode, Template } from "../syntax/tree.ts";

/**
 * `same`: the target's function of this name has the same meaning for every value, which a test shows by running it
 * (`test/parity/functions.test.ts`). Otherwise another name with the same meaning, a template, a rewrite, or the reason why there is
 * none.
 */
export type Rule<Node> = "same" | OtherRule<Node>;

/** A rewrite that returns `undefined` leaves the node unchanged. */
type OtherRule<Node> =
  | Refusal
  | Template
  | ((node: Node) => Expression | undefined)
  | ([Node] extends [Call] ? Renaming : never);

interface Renaming {
  readonly as: string;
}

export interface Refusal {
  /** The unsupported construct; completes "not supported on this source: …". */
  readonly refused: string;
  readonly hint?: string;
}

export type Rules<Node> = ReadonlyMap<string, Rule<Node>>;

/** The words of a text, as a union. */
export type Words<Text extends string, Found extends string = never> = Text extends `${infer First} ${infer Rest}`
  ? Words<Rest, Found | First>
  : Found | Text;

/** Lists of names separated by blanks, if all of them are `Name`s. */
export type Lists<Same extends readonly string[], Name> = Same &
  ([Words<Same[number]>] extends [Name] ? unknown : never);

export type Rest<Name, Same extends readonly string[]> = Exclude<Name, Words<Same[number]>>;

function tableOf<Node>(same: readonly string[], others: Readonly<Record<string, Rule<Node>>>): Rules<Node> {
  const names = same.flatMap((line) => line.split(" "));
  return new Map([...Object.entries<Rule<Node>>(others), ...names.map((name): [string, Rule<Node>] => [name, "same"])]);
}

/**
 * `same` lists names; `others` must contain exactly the rest of the catalogue, except that the rules of `base` hold for the names that
 * neither has, and the catalogue's definition for those that have one. The next functions are the same without a base and definitions.
 */
export function functionRules<
  const Same extends readonly string[],
  const Base extends Readonly<Partial<Record<FunctionName, OtherRule<Call>>>> = Record<never, never>,
>(
  same: Lists<Same, FunctionName>,
  others: Readonly<Record<Exclude<Rest<FunctionName, Same>, keyof Base | DefinedName>, OtherRule<Call>>> &
    Readonly<Partial<Record<Rest<keyof Base | DefinedName, Same>, OtherRule<Call>>>>,
  base?: Base,
): Rules<Call> {
  return new Map([...Object.entries<Rule<Call>>(base ?? {}), ...tableOf<Call>(same, others)]);
}

export function operatorRules<const Same extends readonly string[]>(
  same: Lists<Same, BinaryOperator>,
  others: Readonly<Record<Rest<BinaryOperator, Same>, Rule<Binary>>>,
): Rules<Binary> {
  return tableOf(same, others);
}

/** One rule for several names. */
export const sameRule = <const Names extends string, R>(names: Names, rule: R): Readonly<Record<Words<Names>, R>> =>
  ruleByName(names, () => rule);

/** A rule for each name, made of it. */
export const ruleByName = <const Names extends string, R>(
  names: Names,
  make: (name: Words<Names>) => R,
): Readonly<Record<Words<Names>, R>> =>
  // The keys are the words of the text.
  Object.fromEntries(names.split(" ").map((name) => [name, make(name as Words<Names>)])) as Record<Words<Names>, R>;

/** A rule for `=` and `<>`, one for the four orders, and one for IS [NOT] DISTINCT FROM. */
export const comparisonRules = <R>(equality: R, order: R = equality, distinctness: R = equality) => ({
  "=": equality,
  "<>": equality,
  "<": order,
  "<=": order,
  ">": order,
  ">=": order,
  "is distinct from": distinctness,
  "is not distinct from": distinctness,
});

/** The operators of regular expressions, by their flags and whether they are negated. */
export const patternRules = <R>(matching: (flags: "" | "i", negated: boolean) => R) => ({
  "~": matching("", false),
  "~*": matching("i", false),
  "!~": matching("", true),
  "!~*": matching("i", true),
});

export function fieldRules<const Same extends readonly string[]>(
  same: Lists<Same, ExtractField>,
  others: Readonly<Record<Rest<ExtractField, Same>, Rule<ExtractNode>>>,
): Rules<ExtractNode> {
  return tableOf(same, others);
}

/** Every kind except those with their own table. */
type Kind = Exclude<Expression["kind"], "call" | "binary" | "extract" | "cast" | "spelled">;

export function expressionRules<const Same extends readonly string[]>(
  same: Lists<Same, Kind>,
  others: { readonly [K in Rest<Kind, Same>]: Rule<Extract<Expression, { readonly kind: K }>> },
): Rules<Expression> {
  // A node is only passed to the rule of its own kind.
  return tableOf(same, others as Readonly<Record<string, Rule<Expression>>>);
}
