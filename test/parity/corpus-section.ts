/** The corpus in docs/evidence/parity.md: outcomes by schema and topic, and what is refused with its reason. */
import type { CorpusEngine } from "../corpus/engine.ts";
import { CORPUS_ENGINES } from "../corpus/engines.ts";
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
    ...refusals(outcomes),
  ];
}

/** Rejected queries by reason; engines with the same rejections are grouped. */
function refusals(outcomes: readonly CorpusOutcome[]): readonly string[] {
  const labels = new Map<string, string[]>();
  for (const engine of CORPUS_ENGINES) {
    const text = refusedOn(engine, outcomes).join("\n");
    if (text !== "") labels.set(text, [...(labels.get(text) ?? []), engine.label]);
  }
  return [...labels].flatMap(([text, engines]) => [`Refused on ${engines.join(" and ")}:`, "", text, ""]);
}

function refusedOn(engine: CorpusEngine, outcomes: readonly CorpusOutcome[]): readonly string[] {
  const reasons = new Map<string, string[]>();
  for (const { engine: its, query, verdict } of outcomes) {
    if (its !== engine || verdict.outcome !== "refused") continue;
    const why = engine.refused[query.id]?.why ?? "*being mended*";
    reasons.set(why, [...(reasons.get(why) ?? []), `\`${query.id}\``]);
  }
  return [...reasons].map(([why, queries]) => `* ${why} (${queries.length}): ${queries.join(", ")}`);
}
