/** Names that go wrong: reserved words, quotes, other scripts, spellings that differ in case alone, the planner's own. */
import type { Random } from "../support/random-query.ts";

/** May stand unquoted; several are what the planner calls its own tables and columns. */
const ORDINARY = ["id", "name", "status", "k", "x", "b", "_t1", "_b", "_k1", "_a1", "_x", "_s", "_t2", "v2", "Name"];
const ODD = [
  "order",
  "select",
  "group",
  "from",
  "user",
  "null",
  "größe",
  "naïve col",
  'a"b',
  "x.y",
  "日本",
  "😀",
  "a'b",
  "-- c",
  "/*",
  "1st",
  " lead",
  "$1",
  "ID",
  "MixedCase",
  "mixedcase",
  "NAME",
];

const UNQUOTED = new Set(ORDINARY);

/** A name that none of `taken` equals; `folded` where the engine tells names apart without case. */
export function newName(random: Random, taken: Set<string>, { folded }: { readonly folded: boolean }): string {
  const key = (name: string): string => (folded ? name.toLowerCase() : name);
  for (let attempt = 0; ; attempt++) {
    const word = random.chance(0.6) ? random.pick(ORDINARY) : random.pick(ODD);
    const name = attempt < 4 ? word : `${word}${attempt}`;
    if (taken.has(key(name))) continue;
    taken.add(key(name));
    return name;
  }
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** `name` as somebody might write it among `rivals`: quoted, plain, or in another case where only one name fits. */
export function written(name: string, random: Random, rivals: Iterable<string> = []): string {
  if (!UNQUOTED.has(name) || random.chance(0.5)) return quoted(name);
  if (random.chance(0.7)) return name;
  const alike = [...rivals].filter((rival) => rival.toLowerCase() === name.toLowerCase());
  return alike.length === 1 ? name.toUpperCase() : name;
}
