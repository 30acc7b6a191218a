/** `docs/evidence/index.md`: which run proves what, and the day and commit that its page is from. */
import { relative } from "node:path";
import { RUNS } from "./runs.ts";

/** The day, as YYYY-MM-DD, and the abbreviated commit that a run was made on. */
export interface Made {
  readonly date: string;
  readonly commit: string;
}

const HEAD = `# Evidence

<!-- \`npm run evidence -- NAME\` writes the row of its run; a test holds the rest. -->

\`npm run evidence -- NAME\` makes a run and stamps its row here with the day and the commit. \`npm run evidence\` prints the runs and, for
each, how many commits have changed its code since. A page may be older than its code; a test fails when a page is 60 days older than
the newest commit, or names a commit that the history does not hold. Where a run is older than this table, its day and commit are those that the page
states, or those of the commit that brought its last results.

| Run | What it proves | Page | Takes | Day | Commit | Code |
|---|---|---|---|---|---|---|
`;

export function evidencePage(made: ReadonlyMap<string, Made>): string {
  const rows = Object.entries(RUNS).map(([name, { proves, page, takes, code }]) => {
    const { date, commit } = made.get(name) ?? { date: "never", commit: "none" };
    const file = relative("docs/evidence", page);
    const paths = code.map((path) => `\`${path}\``).join(", ");
    return `| ${name} | ${proves}. | [${file}](${file}) | ${takes} | ${date} | ${commit} | ${paths} |`;
  });
  return `${HEAD}${rows.join("\n")}\n`;
}

/** Run → when and on which commit it was made. */
export function madeIn(page: string): ReadonlyMap<string, Made> {
  const rows = page.matchAll(/^\| (\w+) \|.*\| (\d{4}-\d\d-\d\d) \| ([0-9a-f]{7,40}) \|[^|]*\|$/gm);
  return new Map([...rows].map(([, name = "", date = "", commit = ""]) => [name, { date, commit }]));
}
