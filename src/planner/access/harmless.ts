/**
 * Expressions that an engine computes over every value of a type without an error, as measured data (`npm run
 * harmless`). All others may raise.
 */
import type { Expression } from "../syntax/tree.ts";
import type { SqlType } from "../types.ts";
import type { Conversions } from "./common-types.ts";
import type { PlainSource } from "./plain-sources.ts";

export interface Harmless {
  readonly conversions: Conversions;
  /**
   * `abs`, `extract year`, `date_trunc month`, `cast text`, `+`, `like` → blocks of argument kinds, `;` between them: `nd` is a
   * decimal or a double, `si,t` one of two integers and a text, nothing is no argument.
   */
  readonly computed: Readonly<Record<string, string>>;
  /** Present where the facts come from a manual and not from an engine (`plain.ts`). Other calls may raise. */
  readonly listed?: Listed;
}

export interface Listed {
  readonly source: PlainSource;
  /** Whether a function whose result depends on the types of its arguments alone is on the list. */
  readonly call: (name: string, values: readonly Expression[]) => boolean;
}

/** The table of `Harmless.computed` from rows of blocks and the names, with commas between, that are computed over them. */
export const computedBy = (
  rows: readonly (readonly [blocks: string, names: string])[],
): Readonly<Record<string, string>> =>
  Object.fromEntries(rows.flatMap(([blocks, names]) => names.split(", ").map((name) => [name, blocks])));

/** One letter for each distinguished kind of value; `undefined` for kinds that were not measured. */
function kindOf(type: SqlType | undefined): string | undefined {
  switch (type?.kind) {
    case "boolean":
      return "b";
    case "integer":
      return type.bits === 64 ? "l" : type.bits === 32 ? "i" : "s";
    case "decimal":
      return "n";
    case "float":
      return type.bits === 32 ? "r" : "d";
    case "text":
      return "t";
    case "date":
      return "D";
    case "time":
      return type.zoned ? "Z" : "T";
    case "timestamp":
      return type.zoned ? "P" : "p";
    case "interval":
      return "v";
    case "binary":
      return "y";
    case "uuid":
      return "u";
    default:
      return undefined;
  }
}

/** Whether `what` never raises for these values. */
export function isComputed(what: string, values: readonly Expression[], { computed }: Harmless): boolean {
  if (!Object.hasOwn(computed, what)) return false;
  const kinds = values.map(({ type }) => kindOf(type));
  return blocksOf(computed[what] ?? "").some(
    (sets) => sets.length === kinds.length && kinds.every((kind, i) => kind !== undefined && sets[i]?.includes(kind)),
  );
}

/** Parsed blocks by text; the tables have some hundreds. */
const BLOCKS = new Map<string, readonly (readonly string[])[]>();

function blocksOf(text: string): readonly (readonly string[])[] {
  const known = BLOCKS.get(text);
  if (known !== undefined) return known;
  const blocks = text.split(";").map((block) => (block === "" ? [] : block.split(",")));
  BLOCKS.set(text, blocks);
  return blocks;
}
