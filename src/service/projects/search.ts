/** Finds objects of a project by words: their names, synonyms and descriptions, among those that the caller may see. */
import type { Catalogue } from "../../planner/index.ts";

export const SEARCH_KINDS = ["model", "column", "view", "cube", "measure", "dimension", "example"] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];

export interface SearchRequest {
  /** Without words, models, views and cubes are listed. */
  readonly question?: string | undefined;
  /** A model or a cube. */
  readonly within?: string | undefined;
  readonly kinds?: readonly SearchKind[] | undefined;
  readonly limit: number;
}

export interface Match {
  readonly kind: SearchKind;
  readonly name: string;
  readonly of?: string;
  readonly type?: string;
  readonly description?: string;
}

export interface SearchAnswer {
  readonly matches: readonly Match[];
  /** Number of further matches. */
  readonly more: number;
}

interface Candidate extends Match {
  /** Words of name, synonyms and description; names count three times. */
  readonly words: ReadonlyMap<string, number>;
}

export function searchIn(
  catalogue: Catalogue,
  examples: readonly { readonly question: string; readonly sql: string }[],
  { question = "", within, kinds, limit }: SearchRequest,
): SearchAnswer {
  const wanted = wordsIn(question);
  const all = [...candidatesOf(catalogue), ...examplesOf(examples)].filter(
    ({ kind, of, name }) =>
      (kinds === undefined || kinds.includes(kind)) && (within === undefined || of === within || name === within),
  );
  const found =
    wanted.length === 0
      ? all.filter(
          ({ kind, of }) => kinds !== undefined || within !== undefined || (of === undefined && kind !== "example"),
        )
      : ranked(all, wanted);
  const matches = found.slice(0, limit).map(({ words: _, ...match }) => match);
  return { matches, more: found.length - matches.length };
}

/** BM25 over few short texts: rare words count more, and long descriptions less. */
function ranked(all: readonly Candidate[], wanted: readonly string[]): readonly Candidate[] {
  const average = all.reduce((sum, { words }) => sum + words.size, 0) / Math.max(all.length, 1);
  const rarity = new Map(
    wanted.map((word) => {
      const count = all.filter(({ words }) => words.has(word)).length;
      return [word, Math.log(1 + (all.length - count + 0.5) / (count + 0.5))];
    }),
  );
  const scored = all.flatMap((candidate, index) => {
    const norm = 0.25 + (0.75 * candidate.words.size) / Math.max(average, 1);
    const score = wanted.reduce((sum, word) => {
      const frequency = candidate.words.get(word) ?? 0;
      return sum + ((rarity.get(word) ?? 0) * frequency * 2.2) / (frequency + 1.2 * norm);
    }, 0);
    return score > 0 ? [{ candidate, score, index }] : [];
  });
  return scored.toSorted((a, b) => b.score - a.score || a.index - b.index).map(({ candidate }) => candidate);
}

/** Words are cut once for a catalogue: doing so takes longer than ranking. */
const cut = new WeakMap<Catalogue, readonly Candidate[]>();

function candidatesOf(catalogue: Catalogue): readonly Candidate[] {
  const known = cut.get(catalogue);
  if (known !== undefined) return known;
  const { models, views, cubes } = catalogue;
  const candidates = [
    ...models.flatMap((model) => [
      candidate("model", model),
      ...model.columns.map((column) => candidate("column", column, model.name, column.type)),
    ]),
    ...views.map((view) => candidate("view", view)),
    ...cubes.flatMap((cube) => [
      candidate("cube", cube),
      ...cube.measures.map((member) => candidate("measure", member, cube.name, member.type)),
      ...[...cube.dimensions, ...cube.timeDimensions].map((member) =>
        candidate("dimension", member, cube.name, member.type),
      ),
    ]),
  ];
  cut.set(catalogue, candidates);
  return candidates;
}

const examplesOf = (examples: readonly { readonly question: string; readonly sql: string }[]): readonly Candidate[] =>
  examples.map(({ question, sql }) => candidate("example", { name: question, description: sql }));

interface Named {
  readonly name: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
}

function candidate(kind: SearchKind, named: Named, of?: string, type?: string): Candidate {
  const { name, description, properties } = named;
  const words = new Map<string, number>();
  const add = (text: string, weight: number): void => {
    for (const word of wordsIn(text)) words.set(word, (words.get(word) ?? 0) + weight);
  };
  add(name, 3);
  for (const synonym of synonymsIn(properties)) add(synonym, 3);
  add(textOf(properties?.["displayName"]), 3);
  add(description ?? textOf(properties?.["description"]), 1);
  return {
    kind,
    name,
    ...(of !== undefined && { of }),
    ...(type !== undefined && { type }),
    ...(description !== undefined && { description }),
    words,
  };
}

/** A list, or a text with commas. */
function synonymsIn(properties: Named["properties"]): readonly string[] {
  const synonyms = properties?.["synonyms"];
  if (Array.isArray(synonyms)) return synonyms.filter((each): each is string => typeof each === "string");
  return textOf(synonyms).split(",");
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** Longest text that is cut into words. */
const LONGEST = 4096;

/** Words in lower case, of names in any spelling: `orderDate` and `order_date` are `order` and `date`. A plural is its singular. */
function wordsIn(text: string): readonly string[] {
  const parted = text.slice(0, LONGEST).replaceAll(/([\p{Ll}\d])(?=\p{Lu})/gu, "$1 ");
  return (parted.toLowerCase().match(/[\p{L}\d]+/gu) ?? []).map((word) =>
    word.length > 3 && word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word,
  );
}
