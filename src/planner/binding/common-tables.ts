/** Which common table a name in FROM means. */
import type { Manifest } from "../manifest/manifest.ts";
import type { Identifier } from "../syntax/tree.ts";

export interface NamedCommonTable {
  readonly name: string;
  /** As WITH spells it. An unquoted name has no case, so that one in FROM equals it in any. */
  readonly quoted: boolean;
}

/**
 * A single name: the common table of exactly this name, else of this name without case. One whose quoted name differs by
 * case is as far from the name as a model that does, and comes after a model of exactly this name (decisions P4).
 */
export function findCommonTable<T extends NamedCommonTable>(
  name: readonly Identifier[],
  tables: ReadonlyMap<string, T>,
  manifest: Manifest,
): T | undefined {
  const [only, ...others] = name;
  if (only === undefined || others.length > 0 || tables.size === 0) return undefined;
  const exact = tables.get(only.name);
  if (exact !== undefined || only.quoted) return exact;
  const folded = only.name.toLowerCase();
  const matches = [...tables.values()].filter((table) => table.name.toLowerCase() === folded);
  const [unquoted, ...more] = matches.filter(({ quoted }) => !quoted);
  if (unquoted !== undefined && more.length === 0) return unquoted;
  return matches.length === 1 && !manifest.has(only.name) ? matches[0] : undefined;
}
