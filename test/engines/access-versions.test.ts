/**
 * Row rules on PostgreSQL 14 and 17, which `npm run engines` installs, and an eighth of what never raises on every version; with
 * `HARMLESS=all` the versions between as well, and all of it; with
 * `SHARE` attacks meet the oldest alone, and less of the other is asked. What is not installed is reported as not run.
 */
import { afterAll, beforeAll, describe } from "vitest";
import { openPostgresWorld } from "../security/access-world.ts";
import { describeAttacks } from "../security/attacks/describe.ts";
import { type AskedEngine, openDuckDb, openPostgres } from "../security/harmless/engines.ts";
import { describeHarmless } from "../security/harmless/judge.ts";
import { hasPostgres, POSTGRES_VERSIONS } from "../support/postgres-server.ts";
import { SHARE } from "../support/share.ts";

const EVERY = process.env["HARMLESS"] === "all" ? 1 : 8 * SHARE;
const TURNS = ["subquery", "exists", "literal"];

/** Features that attacks use changed between the oldest and the newest version, and hardly from one to the next. */
const ATTACKED: ReadonlySet<number> = new Set(
  process.env["HARMLESS"] === "all" ? [14, 15, 16, 17] : SHARE === 1 ? [14, 17] : [14],
);

/** One rule for each attack, by turns: it is the versions that differ here. */
const byTurns = (sql: string): ReadonlySet<string> => new Set([TURNS[sql.length % TURNS.length] ?? ""]);

describe.each(POSTGRES_VERSIONS)("PostgreSQL %s", (version) => {
  describe.skipIf(!ATTACKED.has(version) || !hasPostgres(version))("attacks", () => {
    describeAttacks(() => openPostgresWorld(version), byTurns);
  });

  describe.skipIf(!hasPostgres(version))("what never raises", () => {
    let engine: AskedEngine;
    beforeAll(async () => {
      engine = await openPostgres(version);
    });
    afterAll(() => engine?.close());
    describeHarmless(`PostgreSQL ${version}`, () => engine, EVERY);
  });
});

describe("DuckDB", () => {
  let engine: AskedEngine;
  beforeAll(async () => {
    engine = await openDuckDb();
  });
  afterAll(() => engine?.close());
  describeHarmless("DuckDB 1.4", () => engine, EVERY);
});
