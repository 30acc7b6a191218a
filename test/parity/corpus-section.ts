/** The corpus in docs/parity.md: outcomes by schema and topic, and what is refused with its reason. */
import { CORPUS_ENGINES, type CorpusEngine } from "../corpus/engines.ts";
import { type CorpusOutcome, corpusOutcomes } from "../corpus/outcome.ts";
import { CORPUS } from "../corpus/schemas.ts";
import type { Verdict } from "./judge.ts";

export async function corpusSection(summary: (verdicts: readonly Verdict[]) => string): Promise<readonly string[]> {
  const outcomes: CorpusOutcome[] = [];
  for await (const outcome of corpusOutcomes()) outcomes.push(outcome);
  const cells = (schema: string | undefined, topic: string | undefined): string => {
    const own = outcomes.filter(
      (each) => (schema ?? each.schema) === each.schema && (topic ?? each.query.topic) === each.query.topic,
    );
    const columns = CORPUS_ENGINES.map((engine) =>
      summary(own.filter((each) => each.engine === engine).map(({ verdict }) => verdict)),
    );
    return `${own.length / CORPUS_ENGINES.length} | ${columns.join(" | ")} |`;
  };
  return [
    "## The corpus",
    "",
    "Queries as analysts, reporting tools and language models write them, over schemas of the project's own",
    "(`test/corpus`): the planned query on each engine against PostgreSQL's answer to the original text.",
    "",
    `| schema | topic | queries | ${CORPUS_ENGINES.map(({ label }) => label).join(" | ")} |`,
    `|---|---|---|${CORPUS_ENGINES.map(() => "---").join("|")}|`,
    ...CORPUS.flatMap(({ schema, queries }) =>
      [...new Set(queries.map(({ topic }) => topic))].map(
        (topic) => `| ${schema.name} | ${topic} | ${cells(schema.name, topic)}`,
      ),
    ),
    `| **all** | | ${cells(undefined, undefined)}`,
    "",
    ...CORPUS_ENGINES.flatMap((engine) => refusals(engine, outcomes)),
  ];
}

function refusals(engine: CorpusEngine, outcomes: readonly CorpusOutcome[]): readonly string[] {
  const refused = outcomes.filter((each) => each.engine === engine && each.verdict.outcome === "refused");
  if (refused.length === 0) return [];
  return [
    `Refused on ${engine.label}:`,
    "",
    ...refused.map(({ query }) => `* \`${query.id}\`: ${engine.refused[query.id]?.why ?? "*being mended*"}`),
    "",
  ];
}
