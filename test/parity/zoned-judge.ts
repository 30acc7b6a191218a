/** Statements in sessions of several zones: the plan's answer beside PostgreSQL's own in such a session. */
import { manifestOf, plannedCube } from "../support/plan.ts";
import type { Engine } from "./engines.ts";
import { type Answer, ask, askAsWritten, askPlan, judgeAgainst, type NoAnswer, type Verdict } from "./judge.ts";
import { ZONED_CUBE, ZONED_CUBE_QUERIES } from "./session-zone-cubes.ts";
import { NAMED_ZONES, ZONED_CONSTRUCTS, ZONES } from "./session-zones.ts";

const manifest = manifestOf({ catalog: "c", schema: "s", models: [] });

type Asked = Pick<Engine, "source" | "opened" | "settings">;

export interface ZonedQuestion {
  readonly name: string;
  readonly zone: string;
  readonly sql: string;
  readonly of: (engine: Asked) => Promise<Answer | NoAnswer>;
}

const byText = (name: string, sql: string, zone: string): ZonedQuestion => ({
  name,
  zone,
  sql,
  of: ({ source, opened, settings }) => ask(sql, manifest, source, opened, { ...settings, timeZone: zone }),
});

const byCube = ({ cube, sql }: (typeof ZONED_CUBE_QUERIES)[number], zone: string): ZonedQuestion => ({
  name: "cubes",
  zone,
  sql,
  of: ({ source, opened, settings }) =>
    askPlan(() => plannedCube(cube, ZONED_CUBE, { source, ...settings, timeZone: zone }), source, opened),
});

/** All of them, each in its zones. */
export const ZONED_QUESTIONS: readonly ZonedQuestion[] = [
  ...NAMED_ZONES.flatMap(({ name, queries }) => queries.map((sql) => byText(name, sql, "UTC"))),
  ...ZONED_CONSTRUCTS.flatMap(({ name, queries }) =>
    queries.flatMap((sql) => ZONES.map((zone) => byText(name, sql, zone))),
  ),
  ...ZONED_CUBE_QUERIES.flatMap((query) => ZONES.map((zone) => byCube(query, zone))),
];

export async function zonedVerdict(
  question: ZonedQuestion,
  engine: Asked,
  postgres: Engine["opened"],
): Promise<Verdict> {
  const original = await askAsWritten(question.sql, postgres, [{ name: "TimeZone", value: question.zone }]);
  if ("outcome" in original) throw new Error(`PostgreSQL: ${original.detail}: ${question.sql}`);
  const answer = await question.of(engine);
  return "outcome" in answer ? answer : judgeAgainst(original, answer);
}
