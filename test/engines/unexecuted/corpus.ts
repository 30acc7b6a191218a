/** The corpus, planned for a source on which nothing can be run, and read back on DuckDB over the same rows. */
import { CORPUS_ENGINES } from "../../corpus/engines.ts";
import { writeParquet } from "../../corpus/loading.ts";
import { corpusManifest } from "../../corpus/manifest.ts";
import { CORPUS } from "../../corpus/schemas.ts";
import { ask, askAsWritten, judgeAgainst, type Verdict } from "../../parity/judge.ts";
import { type OpenedSource, openDuckDbFiles } from "../../support/sources.ts";
import { plannedQuestions, type Unexecuted } from "./questions.ts";
import { readBack, WHOLE_QUOTIENTS } from "./read-back.ts";
import type { Text } from "./suites.ts";

/** Paths into JSON, whose functions and item methods sqlglot does not translate for DuckDB. */
const OF_JSON = /\bJSON_(?:VALUE|TYPE|TYPEOF)\(/;
/** Paths into documents of arrays, which are read as lists. */
const OF_LISTS = /'\$(?:\[\d\]|\.(?:type|size)\(\))'/g;

function isPathIntoJson(statement: string): boolean {
  const others = statement.replaceAll(OF_LISTS, "");
  return OF_JSON.test(statement) && (others === statement || /'\$[.[][^*]/.test(others));
}

/** One in so many schemas, and one in so many of their queries. */
export interface Shares {
  readonly schemas: number;
  readonly share: number;
}

export interface CorpusVerdict {
  readonly name: string;
  readonly verdict: Verdict;
}

/**
 * Verdicts on the plans of a share, and of the named queries. Expected rows are those of DuckDB's own plan, which
 * another suite compares with PostgreSQL's.
 */
export async function corpusVerdicts(
  own: Unexecuted,
  script: URL,
  { schemas, share }: Shares,
  named: ReadonlySet<string> = new Set(),
): Promise<readonly CorpusVerdict[]> {
  const naming = CORPUS_ENGINES.find(({ source }) => source === "local_file");
  if (naming === undefined) throw new TypeError("files are an engine of the corpus");
  const verdicts: CorpusVerdict[] = [];
  let count = 0;
  for (const [index, { schema, queries }] of CORPUS.entries()) {
    if (index % schemas !== 0) continue;
    const asked = queries.filter(({ id }) => count++ % share === 0 || named.has(id));
    const files = await writeParquet(schema, naming.typeName);
    const opened = await openDuckDbFiles(files.root);
    try {
      const reference = corpusManifest(schema, naming);
      const { tableReference } = naming;
      const manifest = corpusManifest(schema, { tableReference, typeName: own.ownType });
      const tables = schema.tables.map(({ name }) => `${name}.parquet`);
      const all = plannedQuestions(asked.map(({ id, sql }) => ({ name: id, sql, manifest, source: own.source })));
      const planned = all.filter(({ statement }) => !isPathIntoJson(JSON.stringify(statement)));
      const texts = readBack(
        script,
        planned.map(({ statement }) => statement),
      );
      for (const [index, { name, sql, columns }] of planned.entries()) {
        const expected = await ask(sql, reference, "local_file", opened);
        verdicts.push({
          name,
          verdict: await verdictOf({ text: texts[index] ?? "", columns }, expected, opened, tables),
        });
      }
    } finally {
      await opened.close();
      await files.remove();
    }
  }
  return verdicts;
}

async function verdictOf(
  { text, columns }: Text,
  expected: Awaited<ReturnType<typeof ask>>,
  opened: OpenedSource,
  tables: readonly string[],
): Promise<Verdict> {
  const answer = await askAsWritten(text, opened, WHOLE_QUOTIENTS, tables, columns);
  if ("outcome" in expected) return expected;
  return "outcome" in answer ? answer : judgeAgainst(expected, answer, { ordered: false, json: "value" });
}
