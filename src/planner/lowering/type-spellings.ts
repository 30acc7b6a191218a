/** A target's name of each type of the input language: complete by type, like the tables of `rules.ts`. */

import { unsupported } from "../diagnostics.ts";
import type { PrintDialect } from "../syntax/printer.ts";
import { LANGUAGE_TYPES, type LanguageType } from "../types.ts";
import type { Refusal, Words } from "./rules.ts";

type TypeSpelling = PrintDialect["types"][string];

/** The language's types, and further names that a target's own rewrites cast to. */
export type TypeSpellings = Readonly<Record<LanguageType, TypeSpelling>> & Readonly<Record<string, TypeSpelling>>;

/** Each entry is a name, or names separated by blanks. */
type Names<Same extends readonly string[]> = Same[number] extends infer Line extends string
  ? Line extends LanguageType
    ? Line
    : Words<Line>
  : never;

/**
 * `same` are types with PostgreSQL's name; `others` must contain all the rest, and `own` further names for rewrites. A type
 * without a name on the target has a reason, which is shown if a rewrite needs it.
 */
export function typeSpellings<const Same extends readonly string[]>(
  same: Same & ([Names<Same>] extends [LanguageType] ? unknown : never),
  others: Readonly<Record<Exclude<LanguageType, Names<Same>>, TypeSpelling | Refusal>>,
  own: Readonly<Record<string, TypeSpelling>> = {},
): TypeSpellings {
  const names = same.flatMap((line) => (isType(line) ? [line] : line.split(" ")));
  return {
    ...Object.fromEntries(names.map((name) => [name, name.toUpperCase()])),
    ...Object.fromEntries(Object.entries<TypeSpelling | Refusal>(others).map(([name, said]) => [name, spelling(said)])),
    ...own,
  } as TypeSpellings;
}

function isType(name: string): boolean {
  return LANGUAGE_TYPES.some((type) => type === name);
}

function spelling(said: TypeSpelling | Refusal): TypeSpelling {
  if (typeof said !== "object") return said;
  return (_, { span }) => {
    throw unsupported(said.refused, span, said.hint);
  };
}
