/** One input per seed: what is planned, against which manifest, with which settings. The same seed gives the same input. */
import { readFileSync } from "node:fs";
import { type Random, random } from "../planner/syntax/random.ts";
import { randomQuery } from "../support/random-query.ts";
import { longLiteral } from "./long-literals.ts";
import { damagedManifest, type FuzzManifest, MANIFEST_NAMES, wholeManifest } from "./manifests.ts";
import { damagedCharacters, damagedTokens, keywordSalad, nested, randomCharacters, spliced } from "./mutations.ts";
import { grammarQuery } from "./queries.ts";
import { oddName } from "./vocabulary.ts";

/** How a text was made; the report counts by it. */
export const ORIGINS = [
  "grammar",
  "grammar, damaged tokens",
  "grammar, damaged characters",
  "corpus",
  "corpus, damaged tokens",
  "corpus, damaged characters",
  "two queries spliced",
  "typed query",
  "typed query, damaged",
  "keyword salad",
  "random characters",
  "deep nesting",
  "long literal",
] as const;

export type Origin = (typeof ORIGINS)[number];

export interface FuzzInput {
  readonly seed: number;
  readonly origin: Origin;
  readonly sql: string;
  readonly manifest: FuzzManifest;
  readonly limit: number | undefined;
  readonly timeZone: string | undefined;
  readonly unknownFunctions: "allow" | "warn" | "refuse";
  readonly textOrder: "warn" | "code points" | undefined;
}

interface CorpusQuery {
  readonly sql: string;
  readonly manifest: string;
}

function corpus(): readonly CorpusQuery[] {
  const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");
  const { cases } = JSON.parse(read("../cases/planner-cases.json")) as {
    readonly cases: readonly { readonly sql?: string; readonly manifest?: string }[];
  };
  const { queries } = JSON.parse(read("../cases/analyst-queries.json")) as {
    readonly queries: readonly { readonly sql: string }[];
  };
  const examples = read("../../README.md").match(/"sql": *"[^"]+"|^(?:SELECT|WITH) .+$/gm) ?? [];
  return [
    ...cases.flatMap(({ sql, manifest }) => (sql === undefined || manifest === undefined ? [] : [{ sql, manifest }])),
    ...queries.map(({ sql }) => ({ sql, manifest: "analyst" })),
    ...examples.map((text) => ({ sql: text.replace(/^"sql": *"|"$/g, ""), manifest: "analyst" })),
  ];
}

const CORPUS = corpus();

/** Out of 100 inputs. */
const SHARES: readonly (readonly [share: number, origin: Origin])[] = [
  [33, "grammar"],
  [14, "grammar, damaged tokens"],
  [6, "grammar, damaged characters"],
  [2, "corpus"],
  [14, "corpus, damaged tokens"],
  [5, "corpus, damaged characters"],
  [7, "two queries spliced"],
  [2, "typed query"],
  [2, "typed query, damaged"],
  [8, "keyword salad"],
  [4, "random characters"],
  [2, "deep nesting"],
  [1, "long literal"],
];

function randomOrigin({ below }: Random): Origin {
  let left = below(100);
  for (const [share, origin] of SHARES) {
    left -= share;
    if (left < 0) return origin;
  }
  return "grammar";
}

export function fuzzInput(seed: number): FuzzInput {
  const dice = random(seed ^ 0x51_5c_1d);
  const { pick, chance, below } = dice;
  const origin = randomOrigin(dice);
  const example = pick(CORPUS);
  const ownManifest = origin.startsWith("corpus") || origin.startsWith("two") ? example.manifest : pick(MANIFEST_NAMES);
  const manifest = chance(0.08)
    ? damagedManifest(dice)
    : wholeManifest(chance(0.9) ? ownManifest : pick(MANIFEST_NAMES));
  return {
    seed,
    origin,
    sql: textOf(origin, example.sql, manifest, dice),
    manifest,
    limit: chance(0.2) ? pick([0, 1, 10, 1_000_000]) : undefined,
    timeZone: chance(0.1) ? pick(["UTC", "Europe/Berlin", "America/New_York", oddName(dice)]) : undefined,
    unknownFunctions: pick(["allow", "warn", "refuse"]),
    textOrder: (["code points", "warn", undefined, undefined] as const)[seed % 4],
  };

  function textOf(kind: Origin, whole: string, over: FuzzManifest, random: Random): string {
    const typed = (): string => randomQuery(below(1_000_000));
    switch (kind) {
      case "grammar":
        return grammarQuery(over, random);
      case "grammar, damaged tokens":
        return damagedTokens(grammarQuery(over, random), random);
      case "grammar, damaged characters":
        return damagedCharacters(grammarQuery(over, random), random);
      case "corpus":
        return whole;
      case "corpus, damaged tokens":
        return damagedTokens(whole, random);
      case "corpus, damaged characters":
        return damagedCharacters(whole, random);
      case "two queries spliced":
        return spliced(whole, pick([pick(CORPUS).sql, grammarQuery(over, random)]), random);
      case "typed query":
        return typed();
      case "typed query, damaged":
        return damagedTokens(typed(), random);
      case "keyword salad":
        return keywordSalad(
          over.models.flatMap((model) => [model.name, ...model.columns.map((each) => each.name)]),
          random,
        );
      case "random characters":
        return randomCharacters(random);
      case "deep nesting":
        return nested(random);
      case "long literal":
        return longLiteral(random);
      default:
        return kind satisfies never;
    }
  }
}
