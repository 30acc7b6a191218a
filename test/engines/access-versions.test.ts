/**
 * Row rules on PostgreSQL 14 to 17, which `npm run engines` installs, and what never raises on every version, an eighth of it or with
 * `HARMLESS=all` in full: what is not installed is reported as not run.
 */
import { afterAll, beforeAll, describe } from "vitest";
import { openPostgresWorld } from "../security/access-world.ts";
import { describeAttacks } from "../security/attacks/describe.ts";
import { type AskedEngine, openDuckDb, openPostgres } from "../security/harmless/engines.ts";
import { describeHarmless } from "../security/harmless/judge.ts";
import { hasPostgres, POSTGRES_VERSIONS } from "../support/postgres-server.ts";

const SHARE = process.env["HARMLESS"] === "all" ? 1 : 8;
const TURNS = ["subquery", "exists", "literal"];

/** One rule for each attack, by turns: it is the versions that differ here. */
const byTurns = (sql: string): ReadonlySet<string> => new Set([TURNS[sql.length % TURNS.length] ?? ""]);

describe.each(POSTGRES_VERSIONS)("PostgreSQL %s", (version) => {
  describe.skipIf(version === 18 || !hasPostgres(version))("attacks", () => {
    describeAttacks(() => openPostgresWorld(version), byTurns);
  });

  describe.skipIf(!hasPostgres(version))("what never raises", () => {
    let engine: AskedEngine;
    beforeAll(async () => {
      engine = await openPostgres(version);
    });
    afterAll(() => engine?.close());
    describeHarmless(`PostgreSQL ${version}`, () => engine, SHARE);
  });
});

describe("DuckDB", () => {
  let engine: AskedEngine;
  beforeAll(async () => {
    engine = await openDuckDb();
  });
  afterAll(() => engine?.close());
  describeHarmless("DuckDB 1.4", () => engine, SHARE);
});
