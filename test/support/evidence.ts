/** Tables that a command measures, in a page of `docs/`: each between two lines that say which command writes it. */
import { readFileSync, writeFileSync } from "node:fs";

/** Replaces the earlier output of `command` for `name` with `lines`; the rest of the page stays. */
export function writeEvidence(page: URL, command: string, name: string, lines: readonly string[]): void {
  const [start, end] = [`<!-- evidence: ${command} ${name} -->`, `<!-- end of evidence: ${name} -->`];
  const [before, rest] = readFileSync(page, "utf8").split(start);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`no place for ${name} in ${page.pathname}`);
  writeFileSync(page, `${before}${start}\n\n${lines.join("\n")}\n\n${end}${after}`);
}
