/** The engines' results, how they are kept, and the parts that the dialects take. */
import { readFileSync } from "node:fs";
import type { Answer } from "./engines.ts";
import type { Probe } from "./probes.ts";
import type { Kind } from "./values.ts";

export const OUTCOME = new URL("outcome.json", import.meta.url);

/** `abs` → `n` → one letter for each engine: computed, raised, refused (`-`). What no engine computes is left out. */
export interface Outcome {
  readonly engines: readonly string[];
  readonly answers: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export const letterOf = (answer: Answer): string => ({ computed: "c", raised: "r", refused: "-" })[answer];

export const kindsOf = (probe: Probe): string => probe.kinds.map((kind) => LETTERS[kind]).join("");

/** The letters of `access/harmless.ts`. */
export const LETTERS: Readonly<Record<Kind, string>> = {
  boolean: "b",
  smallint: "s",
  integer: "i",
  bigint: "l",
  decimal: "n",
  real: "r",
  double: "d",
  text: "t",
  date: "D",
  time: "T",
  timetz: "Z",
  timestamp: "p",
  timestamptz: "P",
  interval: "v",
  binary: "y",
  uuid: "u",
};

export const readOutcome = (): Outcome => JSON.parse(readFileSync(OUTCOME, "utf8"));

/** Signatures that some of the engines compute and none fails over; an engine that refuses the statement tells nothing. */
export function harmlessOf(
  { engines, answers }: Outcome,
  isAsked: (engine: string) => boolean,
): Record<string, string> {
  const asked = engines.flatMap((engine, index) => (isAsked(engine) ? [index] : []));
  const found: Record<string, string> = {};
  for (const [what, signatures] of Object.entries(answers)) {
    if (COMPARISONS.has(what)) continue;
    const never = Object.entries(signatures).flatMap(([kinds, letters]) => {
      const own = asked.map((index) => letters[index]);
      return own.includes("c") && !own.includes("r") ? [kinds] : [];
    });
    if (never.length > 0) found[what] = blocksOf(never);
  }
  return found;
}

/** `access/common-types.ts` knows what meets: a literal and two shapes of decimals are no kinds. */
const COMPARISONS: ReadonlySet<string> = new Set(["=", "<", "is distinct from"]);

/** `si,i;l,i` … : kinds that go with the same others are one set. */
export function blocksOf(signatures: readonly string[]): string {
  let blocks = signatures.map((kinds) => [...kinds]);
  for (let place = 0; place < 3; place++) {
    const merged = new Map<string, string[]>();
    for (const block of blocks) {
      const rest = JSON.stringify([block.length, block.filter((_set, index) => index !== place)]);
      const known = merged.get(rest);
      if (known === undefined) merged.set(rest, [...block]);
      else known[place] = `${known[place]}${block[place]}`;
    }
    blocks = [...merged.values()];
  }
  return [...new Set(blocks.map((block) => block.join(",")))].join(";");
}

/** The module that a dialect reads: a row for the names that are computed over the same values, or several where they are long. */
export function moduleOf(name: string, doc: string, computed: Record<string, string>): string {
  const rows = new Map<string, string[]>();
  for (const [what, blocks] of Object.entries(computed)) rows.set(blocks, [...(rows.get(blocks) ?? []), what]);
  const lines = [...rows].flatMap(([blocks, names]) =>
    linesOf(names).map((line) => `  [${JSON.stringify(blocks)}, ${JSON.stringify(line)}],`),
  );
  return [
    'import { computedBy } from "../../access/harmless.ts";',
    "",
    `/** ${doc} Written by \`npm run harmless\`; do not edit. */`,
    `export const ${name}: Readonly<Record<string, string>> = computedBy([`,
    ...lines,
    "]);",
    "",
  ].join("\n");
}

const LONGEST = 70;

function linesOf(names: readonly string[]): readonly string[] {
  const lines: string[] = [];
  for (const name of names) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + name.length < LONGEST) lines[lines.length - 1] = `${last}, ${name}`;
    else lines.push(name);
  }
  return lines;
}
