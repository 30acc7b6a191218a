/** A SELECT as a place where expressions are computed, with the truths of the row rules over its rows. */
import type { Expression } from "../../syntax/tree.ts";
import { refused } from "./refusals.ts";
import { conjunction, freeAliases, truthOfGroup } from "./truths.ts";

/** `group`: after GROUP BY or over the aggregates of all rows. */
export type Level = "row" | "group";

export interface Block {
  readonly aliases: ReadonlySet<string>;
  /** One for each table of the block with rules; TRUE for every row that these let through. */
  readonly truths: readonly Expression[];
  /** Set where the block is in an expression of another. */
  readonly outer: Outer | undefined;
}

export interface Outer {
  readonly block: Block;
  /** The level of the expression in the other block. */
  readonly level: Level;
  /** The aliases of other blocks that the subquery refers to. */
  readonly free: ReadonlySet<string>;
}

/**
 * The condition under which an expression of the block is computed; `undefined`: no table that it is computed over has rules. In a
 * subquery it also holds for the rows outside that the expression names, and for all rows of the query outside if the tables of the
 * subquery have no rules.
 */
export function guardOf(block: Block, level: Level, at: Expression): Expression | undefined {
  const truths = truthsOf(block, level, at, freeAliases(at));
  const found = truths.length > 0 || block.outer === undefined ? truths : outerTruths(block, at, block.outer.free);
  return found.length === 0 ? undefined : conjunction(found);
}

type Names = ReadonlySet<string>;

function truthsOf(block: Block, level: Level, at: Expression, named: Names): readonly Expression[] {
  const { truths } = block;
  const own = level === "group" && truths.length > 0 ? [truthOfGroup(truths)] : truths;
  return [...own, ...outerTruths(block, at, named)];
}

/** The truths of the blocks outside whose tables are named. */
function outerTruths({ aliases, outer }: Block, at: Expression, named: Names): readonly Expression[] {
  if (outer === undefined) return [];
  const { block, level } = outer;
  const beyond = new Set([...named].filter((alias) => !aliases.has(alias)));
  if (![...block.aliases].some((alias) => beyond.has(alias))) return outerTruths(block, at, beyond);
  if (block.truths.length > 0 && level === "group") throw refused("correlatedOverGroups", at.span);
  if ([...block.aliases].some((alias) => aliases.has(alias))) throw refused("oneName", at.span);
  return [...block.truths, ...outerTruths(block, at, beyond)];
}
