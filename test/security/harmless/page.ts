/** The table of docs/reference/access-rules.md. */
import { readFileSync, writeFileSync } from "node:fs";
import { POSTGRES_VERSIONS } from "../../support/postgres-server.ts";
import { LETTERS, type Outcome } from "./outcome.ts";

const PAGE = new URL("../../../docs/reference/access-rules.md", import.meta.url);
const [START, END] = ["<!-- harmless: npm run harmless -->", "<!-- /harmless -->"];

export function writePage(outcome: Outcome): void {
  const [before = "", rest = ""] = readFileSync(PAGE, "utf8").split(START);
  writeFileSync(PAGE, `${before}${START}\n\n${tableOf(outcome)}\n\n${END}${rest.split(END)[1] ?? ""}`);
}

/** Which argument kinds fail on which engines: each signature once, kinds that fail alike together. */
function tableOf({ engines: names, answers: all }: Outcome): string {
  const kindOfLetter = new Map(Object.entries(LETTERS).map(([kind, letter]) => [letter, kind]));
  const lines = ["| | Never raises | May raise |", "|---|---|---|"];
  for (const [what, signatures] of Object.entries(all)) {
    const never: string[] = [];
    const byEngines = new Map<string, string[]>();
    for (const [kinds, letters] of Object.entries(signatures)) {
      const shown = [...kinds].map((letter) => kindOfLetter.get(letter) ?? "").join(" × ") || "()";
      const raising = where(names, letters);
      if (raising === "") never.push(shown);
      else byEngines.set(raising, [...(byEngines.get(raising) ?? []), shown]);
    }
    const raises = [...byEngines].map(([where, kinds]) => `${where}: ${short(kinds)}`);
    lines.push(`| \`${what.replaceAll("|", "\\|")}\` | ${short(never)} | ${raises.join("; ")} |`);
  }
  return lines.join("\n");
}

const MOST_SHOWN = 12;

const short = (kinds: readonly string[]): string =>
  kinds.length <= MOST_SHOWN
    ? kinds.join(", ")
    : `${kinds.slice(0, MOST_SHOWN).join(", ")} and ${kinds.length - MOST_SHOWN} more`;

/** `everywhere`, `PostgreSQL`, `PostgreSQL 14–17`, `DuckDB` … */
function where(names: readonly string[], letters: string): string {
  const raising = names.filter((_name, index) => letters[index] === "r");
  if (raising.length === 0) return "";
  const versions = raising.flatMap((name) => /^PostgreSQL (\d+)/.exec(name)?.[1] ?? []);
  const postgres =
    versions.length === 0
      ? []
      : versions.length === POSTGRES_VERSIONS.length
        ? ["PostgreSQL"]
        : [`PostgreSQL ${versions.length === 1 ? versions[0] : `${versions[0]}–${versions.at(-1)}`}`];
  return [...postgres, ...raising.filter((name) => name.startsWith("DuckDB")).map(() => "DuckDB")].join(", ");
}
