/** The corpus in docs/evidence/parity.md: outcomes by schema and topic, and what is refused with its reason. */
import type { CorpusEngine } from "../corpus/engine.ts";
import { CORPUS_ENGINES } from "../corpus/engines.ts";
import { CORPUS } from "../corpus/schemas.ts";
import { type KeptTarget, summary } from "./kept.ts";

export function corpusSection(targets: readonly KeptTarget[]): readonly string[] {
  const asked = targets.flatMap(({ label, corpus }) => (corpus === undefined ? [] : [{ label, corpus }]));
  const cells = (schema: string | undefined, topic: string | undefined): string => {
    const queries = CORPUS.filter(({ schema: { name } }) => (schema ?? name) === name).flatMap((each) =>
      each.queries.filter((query) => (topic ?? query.topic) === query.topic),
    );
    const columns = asked.map(({ corpus }) => summary(queries.flatMap(({ id }) => corpus[id] ?? [])));
    return `${queries.length} | ${columns.join(" | ")} |`;
  };
  return [
    "## The corpus",
    "",
    "Queries as analysts, reporting tools and language models write them, over schemas of the project's own",
    "(`test/corpus`): the planned query on each engine against PostgreSQL's answer to the original text.",
    "",
    `| schema | topic | queries | ${asked.map(({ label }) => label).join(" | ")} |`,
    `|---|---|---|${asked.map(() => "---").join("|")}|`,
    ...CORPUS.flatMap(({ schema, queries }) =>
      [...new Set(queries.map(({ topic }) => topic))].map(
        (topic) => `| ${schema.name} | ${topic} | ${cells(schema.name, topic)}`,
      ),
    ),
    `| **all** | | ${cells(undefined, undefined)}`,
    "",
    ...refusals(asked),
  ];
}

type Asked = Pick<KeptTarget, "label"> & { readonly corpus: NonNullable<KeptTarget["corpus"]> };

/** Rejected queries by reason; engines with the same rejections are grouped. */
function refusals(asked: readonly Asked[]): readonly string[] {
  const labels = new Map<string, string[]>();
  for (const { label, corpus } of asked) {
    const engine = CORPUS_ENGINES.find((each) => each.label === label);
    const text = engine === undefined ? "" : refusedOn(engine, corpus).join("\n");
    if (text !== "") labels.set(text, [...(labels.get(text) ?? []), label]);
  }
  return [...labels].flatMap(([text, engines]) => [`Refused on ${engines.join(" and ")}:`, "", text, ""]);
}

function refusedOn(engine: CorpusEngine, corpus: Asked["corpus"]): readonly string[] {
  const reasons = new Map<string, string[]>();
  for (const [id, outcome] of Object.entries(corpus)) {
    if (outcome !== "refused") continue;
    const why = engine.refused[id]?.why ?? "*being mended*";
    reasons.set(why, [...(reasons.get(why) ?? []), `\`${id}\``]);
  }
  return [...reasons].map(([why, queries]) => `* ${why} (${queries.length}): ${queries.join(", ")}`);
}
