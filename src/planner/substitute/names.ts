/** Names that a query gives, and which of them another name means: common tables, and tables by their path. */
import type { LexicalRules } from "../syntax/lexical-rules.ts";

/** One part of a path as the source reads it. */
export interface NamePart {
  readonly name: string;
  readonly quoted: boolean;
}

/** A tableReference has catalog, schema and table: no table has a longer path, and a text may hold one of any length. */
export const MOST_PARTS = 3;

/** Two parts mean the same exactly when their keys are equal. */
export function foldName({ name, quoted }: NamePart, folding: LexicalRules["folding"]): string {
  if (folding === "ignore") return name.toLowerCase();
  if (quoted || folding === "exact") return name;
  return folding === "upper" ? name.toUpperCase() : name.toLowerCase();
}

/** The common tables that a query sees, innermost first. */
export class CommonTables {
  readonly #outer: CommonTables | undefined;
  readonly #names = new Set<string>();

  constructor(outer: CommonTables | undefined) {
    this.#outer = outer;
  }

  add(key: string): void {
    this.#names.add(key);
  }

  has(key: string): boolean {
    return this.#names.has(key) || (this.#outer?.has(key) ?? false);
  }
}

/** One SELECT and the tables in its FROM, for column names that repeat a table's path: `public.orders.id`. */
export class SelectBlock {
  readonly #outer: SelectBlock | undefined;
  /** Last name of the path by every spelling of the path of two parts or more. */
  readonly #paths = new Map<string, string>();
  /** Names that FROM has given so far. */
  readonly #names = new Set<string>();
  readonly #folding: LexicalRules["folding"];

  constructor(outer: SelectBlock | undefined, folding: LexicalRules["folding"]) {
    this.#outer = outer;
    this.#folding = folding;
  }

  /** A table of FROM; one with an alias can only be reached by that. */
  addTable(path: readonly NamePart[], alias: NamePart | undefined): void {
    const last = path.at(-1);
    if (last === undefined) return;
    this.#names.add(foldName(alias ?? last, this.#folding));
    if (alias !== undefined || path.length > MOST_PARTS) return;
    for (let from = 0; from < path.length - 1; from++) this.#paths.set(this.#key(path.slice(from)), last.name);
  }

  hasName(part: NamePart): boolean {
    return this.#names.has(foldName(part, this.#folding));
  }

  /** The table that `path` names in this SELECT or an outer one. */
  tableOf(path: readonly NamePart[]): string | undefined {
    if (path.length > MOST_PARTS) return undefined;
    const key = this.#key(path);
    for (let block: SelectBlock | undefined = this; block !== undefined; block = block.#outer) {
      const table = block.#paths.get(key);
      if (table !== undefined) return table;
    }
    return undefined;
  }

  #key(path: readonly NamePart[]): string {
    return JSON.stringify(path.map((part) => foldName(part, this.#folding)));
  }
}
