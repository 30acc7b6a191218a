/** Whether texts are queries of a source on which nothing can be run, as somebody else's grammar of its language says. */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { hasModule, PYTHON } from "./readers.ts";

/** For each text what is wrong with it, or nothing. */
export type Judge = (statements: readonly string[]) => readonly (string | undefined)[];

export interface Grammar {
  readonly isThere: () => boolean;
  readonly open: () => Judge;
}

/**
 * A construct that the grammar accepts and the source lacks, by its position in the grammar's tree: a word or sign, a
 * part of the kind, or a word directly in a part of the kind.
 */
export interface Lack {
  readonly what: string;
  readonly word?: string;
  readonly kind?: string;
}

const SCRIPT = fileURLToPath(new URL("grammar.py", import.meta.url));

/** sqlfluff's, by the name that it has for the dialect, and what that grammar leaves out. */
export function sqlFluff(dialect: string, lacks: readonly Lack[]): Grammar {
  return {
    isThere: () => hasModule("sqlfluff"),
    open: () => judgedBy(SCRIPT, (statements) => ({ dialect, lacks, statements })),
  };
}

/** By a script of Python, which reads what `asking` makes of the statements and writes a fault or null for each, as JSON. */
export function judgedBy(script: string, asking: (statements: readonly string[]) => unknown): Judge {
  return (statements) => {
    const input = JSON.stringify(asking(statements));
    const options = { input, encoding: "utf8", maxBuffer: 1 << 26, timeout: 600_000 } as const;
    const faults: readonly (string | null)[] = JSON.parse(execFileSync(PYTHON, [script], options));
    return faults.map((fault) => fault ?? undefined);
  };
}

/** A clause that a grammar does not know where it may stand, and what it is judged as instead. */
export type Unknown = readonly [clause: RegExp, instead: string];

/** `sql` as a grammar knows it, texts and quoted names left alone. `quoted`: what begins and ends these. */
export function withoutUnknown(sql: string, unknown: readonly Unknown[], quoted = `'"`): string {
  const parts = new RegExp(`${[...quoted].map((q) => `${q}(?:[^${q}]|${q}${q})*${q}`).join("|")}|[^${quoted}]+`, "g");
  return sql.replace(parts, (part) =>
    quoted.includes(part.charAt(0))
      ? part
      : unknown.reduce((known, [clause, instead]) => known.replace(clause, instead), part),
  );
}
