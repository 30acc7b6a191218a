/** The data of a `spelled` node: text of a target with places for its parts, and facts about its value. */
import type { SqlType } from "../types.ts";

/**
 * When the value is NULL. `strict`: if and only if a part is. `possible`: if a part is, and for other values too. `never`: never.
 * `unknown`: nothing is known about it.
 */
export type Nulls = "strict" | "possible" | "never" | "unknown";

/** The fraction digits of a decimal value, or the part that has as many; `computed` if the target computes it as a double. */
export type TemplateScale = number | "of the first" | "of the second" | "computed";

/** A place for a part (from 0), or for all of them with commas between; a part that binds looser than `level` gets parentheses. */
export type TemplatePiece = string | { readonly part: number | "all"; readonly level: number };

export interface TemplateOf<Tree> {
  /** The written text, with `$1` for the first part and `$*` for all parts. */
  readonly text: string;
  /** The type of its value; a template without one has the type of the node that it replaces. */
  readonly type: SqlType | undefined;
  readonly nulls: Nulls;
  readonly scale: TemplateScale | undefined;
  /** The most digits of its value, where that is a number of a known scale. */
  readonly precision: number | undefined;
  /** No value of its parts makes it fail, by the target's manual. */
  readonly neverFails: boolean;
  /** It calls the target's function that raises an error. */
  readonly raises: boolean;
  /** Its value is the first moment of a month, quarter, year or a longer unit. */
  readonly isStartOfMonths: boolean;
  /** Texts and places in their order; of a template in the target's own words. */
  readonly pieces: readonly TemplatePiece[];
  /** How many parts it takes; undefined if it has a place for all of them. */
  readonly arity: number | undefined;
  /** The parts that occur more than once, from 0, each as often as it occurs again. */
  readonly repeated: readonly number[];
  /** Its text holds a query, whose rows and columns are the template's own. */
  readonly hasQuery: boolean;
  /** Why the target has no such value: only constructs around it can be printed, which take its parts. */
  readonly unsupported: { readonly refused: string; readonly hint?: string } | undefined;
  /** The expression of a template that is written in SQL: the target's dialect prints it. A column named `$1` is a part. */
  readonly tree: Tree | undefined;
}
