/**
 * The input language as a dialect: PostgreSQL's text for everything that PostgreSQL has, the language's own for the rest
 * (QUALIFY, TRY_CAST, `* EXCEPT`). Every other dialect is this one with changes.
 */

import type { Target } from "../lowering/target.ts";
import type { TypeSpellings } from "../lowering/type-spellings.ts";
import { isReservedAsName, isWord } from "../syntax/keywords.ts";
import { printPosition } from "../syntax/print-calls.ts";
import { EXPRESSION_PRINTERS } from "../syntax/print-expressions.ts";
import { QUERY_PRINTERS } from "../syntax/print-queries.ts";
import type { FunctionSpelling, NodePrinters, PrintDialect } from "../syntax/printer.ts";
import { needsQuotes } from "../syntax/quoting.ts";
import { POSTGRES_LEXICAL } from "./postgres/lexical.ts";

export const INPUT_LANGUAGE: PrintDialect = {
  name: "input",
  lexical: POSTGRES_LEXICAL,
  needsQuotes: needsQuotesAsWritten,
  booleans: ["FALSE", "TRUE"],
  nullTreatment: "behind",
  functions: new Map([["position", printPosition]]),
  operators: {},
  types: {},
  levels: {},
  printers: { ...EXPRESSION_PRINTERS, ...QUERY_PRINTERS },
};

/**
 * Names written without quotes stay so in any case: `Customer` is compared as it is, while `"Customer"` would rule out
 * a model of another case. Names written with quotes lose them where they mean the same without.
 */
function needsQuotesAsWritten(name: string, wasQuoted: boolean): boolean {
  const bare = wasQuoted ? /^[a-z_][a-z0-9_$]*$/.test(name) : isWord(name);
  return !bare || isReservedAsName(name);
}

/** Differences of a dialect; the maps add to those of the dialect it is based on. */
export interface DialectChanges extends Partial<Omit<PrintDialect, "name" | "functions" | "printers">> {
  readonly name: string;
  readonly functions?: Readonly<Record<string, FunctionSpelling>>;
  readonly printers?: Partial<NodePrinters>;
}

/** A dialect that differs from `base` only by `changes`. One with lexical rules of its own quotes names by them. */
export function defineDialect(changes: DialectChanges, base: PrintDialect = INPUT_LANGUAGE): PrintDialect {
  const { lexical } = changes;
  return {
    ...base,
    ...(lexical && { needsQuotes: (name: string) => needsQuotes(name, lexical) }),
    ...changes,
    functions: new Map([...base.functions, ...Object.entries(changes.functions ?? {})]),
    operators: { ...base.operators, ...changes.operators },
    types: { ...base.types, ...changes.types },
    levels: { ...base.levels, ...changes.levels },
    printers: { ...base.printers, ...changes.printers },
  };
}

/** A target's dialect, which says how each type is written: a type that it forgot would be PostgreSQL's. */
export function defineTargetDialect(changes: DialectChanges & { readonly types: TypeSpellings }): Target["print"] {
  return { ...defineDialect(changes), types: changes.types };
}
