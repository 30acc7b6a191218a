/** Which common table a name in FROM means. */
import type { Manifest } from "../manifest/manifest.ts";
import type { Identifier } from "../syntax/tree.ts";

export interface NamedCommonTable {
  readonly name: string;
  /** Whether WITH quotes the name. An unquoted name has no case, so that a name in FROM matches it in any case. */
  readonly quoted: boolean;
}

/**
 * Finds a single name: the common table of exactly this name, otherwise of this name without case. A common table whose
 * quoted name differs by case ranks like a model that does, after a model of exactly this name
 * (docs/decisions/0017-names-without-case.md).
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
