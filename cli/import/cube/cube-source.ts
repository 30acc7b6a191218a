/** Cubes as they are written, with the members of the cubes that they extend. */
import type { FilePosition } from "../../exit.ts";
import type { Draft } from "../draft.ts";
import type { Item } from "../item.ts";
import { Unmapped } from "../sql-text.ts";

const LISTS = ["joins", "dimensions", "measures", "segments", "hierarchies", "access_policy"] as const;
export type CubeList = (typeof LISTS)[number];

export interface CubeSource {
  readonly name: string;
  readonly at: FilePosition;
  /** The cube itself, then those that it extends. */
  readonly items: readonly Item[];
  /** Members of a list by name; an own member replaces the one that is extended. */
  readonly members: (list: CubeList) => readonly Item[];
  readonly text: (name: string) => { readonly text: string; readonly item: Item } | undefined;
}

/** Cubes by name. What extends itself, or a cube that is absent, is refused. */
export function cubeSources(items: readonly Item[], draft: Draft): readonly CubeSource[] {
  const byName = new Map<string, Item>();
  for (const item of items) {
    const name = item.text("name");
    if (name === undefined) draft.report.refuse("cube", "It has no name.", item.at());
    else if (byName.has(name)) draft.report.refuse(`cube "${name}"`, "Two objects have the name.", item.at("name"));
    else byName.set(name, item);
  }
  return [...byName].flatMap(([name, item]) => {
    const chain = draft.attempt(`cube "${name}"`, item.at("extends"), () => chainOf(item, byName));
    return chain === undefined ? [] : sourceOf(name, chain);
  });
}

function chainOf(item: Item, byName: ReadonlyMap<string, Item>): readonly Item[] {
  const chain = [item];
  for (let base = extended(item); base !== undefined; ) {
    const found = byName.get(base);
    if (found === undefined) throw new Unmapped(`It extends ${base}, which is absent.`);
    if (chain.includes(found)) throw new Unmapped("It extends itself.");
    chain.push(found);
    base = extended(found);
  }
  return chain;
}

const extended = (item: Item): string | undefined => item.text("extends")?.replace(/^\$?\{\s*(\w+)\s*\}$/, "$1");

function sourceOf(name: string, items: readonly Item[]): CubeSource {
  const [own] = items;
  return {
    name,
    at: own?.at("name") ?? { file: "", line: 1, column: 1, text: "" },
    items,
    members: (list) => {
      if (list === "access_policy") return items.find((each) => each.items(list).length > 0)?.items(list) ?? [];
      const found = new Map<string, Item>();
      for (const item of items) {
        const inherited = new Set(found.keys());
        for (const [at, member] of item.items(list).entries()) {
          const key = member.text("name") ?? `${at}`;
          // Two members of one cube stay two, so that the second is refused.
          if (!inherited.has(key)) found.set(found.has(key) ? `${key} ${at}` : key, member);
        }
      }
      return [...found.values()];
    },
    text: (member) => {
      for (const item of items) {
        const text = item.text(member);
        if (text !== undefined) return { text, item };
      }
      return undefined;
    },
  };
}
