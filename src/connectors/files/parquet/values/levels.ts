/**
 * Validates the levels of nested columns once per row group: Arrow readers trust the lengths of lists and structs, so
 * contradicting levels would make them read beyond a buffer. Every writer follows these rules
 * (https://github.com/apache/parquet-format/blob/master/README.md#nested-encoding); a file that breaks one is refused.
 */
import { ParquetFault } from "../fault.ts";
import type { Column, Leaf, Node } from "./column-tree.ts";

export interface Levels {
  /** Number of slots, including NULLs. */
  readonly count: number;
  /** Undefined if no value can be NULL, or repeated. */
  readonly definitions: Uint8Array | undefined;
  readonly repetitions: Uint8Array | undefined;
}

/** Throws `ParquetFault`. */
export function assertLevels(columns: readonly Column[], levels: ReadonlyMap<Leaf, Levels>, rows: number): void {
  const levelsOf = (leaf: Leaf): Levels => {
    const own = levels.get(leaf);
    if (own === undefined) throw new ParquetFault("It lacks values of a column.");
    return own;
  };
  const check = (node: Node, filled: readonly number[]): void => {
    switch (node.kind) {
      case "leaf":
        assertLeaf(node.leaf, levelsOf(node.leaf), filled, rows);
        return;
      case "list":
      case "map":
        check(node.element, [...filled, node.filled]);
        return;
      case "struct": {
        const [first, ...others] = node.members;
        if (first === undefined) throw new ParquetFault("A struct in it has no members.");
        for (const { node: member } of node.members) check(member, filled);
        for (const { node: member } of others) {
          assertSame(levelsOf(first.node.leaf), levelsOf(member.leaf), filled.length, node.present);
        }
        return;
      }
      default:
        node satisfies never;
    }
  };
  for (const { node } of columns) check(node, []);
}

/** `filled`: for each list around the leaf, outermost first, the minimum definition level of a list with an element. */
function assertLeaf({ maxDefinition }: Leaf, levels: Levels, filled: readonly number[], rows: number): void {
  const { count, definitions, repetitions } = levels;
  if (repetitions === undefined) {
    if (count !== rows) throw new ParquetFault("A column of it has not as many values as rows.");
    return;
  }
  let found = 0;
  let before = 0;
  for (let i = 0; i < count; i++) {
    const repetition = repetitions[i] ?? 0;
    const definition = definitions?.[i] ?? maxDefinition;
    if (definition > maxDefinition || repetition > filled.length) {
      throw new ParquetFault("A level in it is higher than any.");
    }
    if (repetition === 0) found++;
    else {
      if (i === 0) throw new ParquetFault("A column of it begins within a row.");
      const least = filled[repetition - 1] ?? 0;
      if (definition < least || before < least) {
        throw new ParquetFault("A list in it goes on that is empty or NULL.");
      }
    }
    before = definition;
  }
  if (found !== rows) throw new ParquetFault("A column of it has not as many values as rows.");
}

/** Two members of a struct: entries of the struct begin, are NULL and are missing at the same positions in both. */
function assertSame(one: Levels, other: Levels, repeats: number, present: number): void {
  let at = 0;
  for (let i = 0; i < one.count; i++) {
    const repetition = one.repetitions?.[i] ?? 0;
    if (repetition > repeats) continue;
    while (at < other.count && (other.repetitions?.[at] ?? 0) > repeats) at++;
    const isSame =
      at < other.count &&
      (other.repetitions?.[at] ?? 0) === repetition &&
      upTo(present, other.definitions, at) === upTo(present, one.definitions, i);
    if (!isSame) throw disagree();
    at++;
  }
  while (at < other.count) if ((other.repetitions?.[at++] ?? 0) <= repeats) throw disagree();
}

/** A leaf without levels is never NULL, and neither are its parents. */
function upTo(most: number, definitions: Uint8Array | undefined, at: number): number {
  return Math.min(most, definitions?.[at] ?? most);
}

const disagree = (): ParquetFault => new ParquetFault("Members of a struct in it are not equally many.");
