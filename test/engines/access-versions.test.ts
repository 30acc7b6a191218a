/**
 * Row rules on PostgreSQL 14 to 17, which `npm run engines` installs: what is not installed is reported as not run. What
 * never raises on them is asked by `npm run harmless`.
 */
import { describe } from "vitest";
import { openPostgresWorld } from "../security/access-world.ts";
import { describeAttacks } from "../security/attacks/describe.ts";
import { hasPostgres, POSTGRES_VERSIONS } from "../support/postgres-server.ts";

const TURNS = ["subquery", "exists", "literal"];

/** One rule for each attack, by turns: it is the versions that differ here. */
const byTurns = (sql: string): ReadonlySet<string> => new Set([TURNS[sql.length % TURNS.length] ?? ""]);

describe.each(POSTGRES_VERSIONS)("PostgreSQL %s", (version) => {
  describe.skipIf(version === 18 || !hasPostgres(version))("attacks", () => {
    describeAttacks(() => openPostgresWorld(version), byTurns);
  });
});
