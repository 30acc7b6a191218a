/** Where the record of each source lies: `NAME.constructs.txt`, `NAME.dialect.txt` and `NAME.statements.txt`, written by `npm run dialects`. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { constructsOf, dialectOf, digestsOf, RECORDED, type Recorded } from "./sent.ts";

const PLACE = new URL("record/", import.meta.url);

const KINDS = { constructs: constructsOf, dialect: dialectOf, statements: digestsOf } as const;
export type Kind = keyof typeof KINDS;

const fileOf = (kind: Kind, { name }: Recorded): URL => new URL(`${name}.${kind}.txt`, PLACE);

export function writeRecords(): void {
  mkdirSync(PLACE, { recursive: true });
  for (const recorded of RECORDED) {
    for (const [kind, textOf] of Object.entries(KINDS) as [Kind, (typeof KINDS)[Kind]][]) {
      writeFileSync(fileOf(kind, recorded), textOf(recorded));
    }
  }
}

/** Lines of the record that are no longer true, each with what is sent today; empty where all are. */
export function differences(kind: Kind, recorded: Recorded): readonly string[] {
  const before = readFileSync(fileOf(kind, recorded), "utf8").split("\n");
  const now = KINDS[kind](recorded).split("\n");
  if (before.length !== now.length) return [`${before.length} lines, now ${now.length}: npm run dialects writes them`];
  return now.flatMap((line, index) =>
    line === before[index] ? [] : [`${now[index - 1]}\n- ${before[index]}\n+ ${line}`],
  );
}
