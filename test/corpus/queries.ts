/** Reads the query files: each statement is headed by `-- <slug>: <the question>` and ended by `;` at the end of a line. */
import { readdirSync, readFileSync } from "node:fs";

export interface CorpusQuery {
  /** `schema/topic/slug`: unique, and what lists of refusals name. */
  readonly id: string;
  readonly topic: string;
  readonly question: string;
  readonly sql: string;
}

const HEAD = /^-- ([a-z0-9]+(?:-[a-z0-9]+)*): (.+)$/;

export function readQueries(schema: string): readonly CorpusQuery[] {
  const folder = new URL(`schemas/${schema}/queries/`, import.meta.url);
  const files = readdirSync(folder).sort();
  return files.flatMap((file) =>
    parseQueries(schema, file.replace(/\.sql$/, ""), readFileSync(new URL(file, folder), "utf8")),
  );
}

function parseQueries(schema: string, topic: string, text: string): readonly CorpusQuery[] {
  const queries: CorpusQuery[] = [];
  let head: { readonly slug: string; readonly question: string } | undefined;
  let lines: string[] = [];
  for (const line of text.split("\n")) {
    if (head === undefined) {
      if (line.trim() === "") continue;
      const [, slug, question] = HEAD.exec(line) ?? [];
      if (slug === undefined || question === undefined) throw new Error(`${schema}/${topic}: not a heading: ${line}`);
      head = { slug, question };
      continue;
    }
    lines.push(line);
    if (!/;\s*$/.test(line) || /^\s*--/.test(line)) continue;
    queries.push({ id: `${schema}/${topic}/${head.slug}`, topic, question: head.question, sql: lines.join("\n") });
    head = undefined;
    lines = [];
  }
  if (head !== undefined) throw new Error(`${schema}/${topic}/${head.slug} does not end`);
  return queries;
}
