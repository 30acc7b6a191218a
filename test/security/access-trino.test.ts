/**
 * Attempts to get around access rules on Trino, with what only it has. A statement takes it a tenth of a second, so every twelfth of
 * what is answered elsewhere is asked, beside all that is its own and all that is refused; `ACCESS_RULES=all` asks everything.
 */
import { describe } from "vitest";
import { hasTrino, WITHOUT_TRINO } from "../support/trino-server.ts";
import { describeAttacks, oneByTurns } from "./attacks/describe.ts";
import { sampled } from "./attacks/index.ts";
import { TRINO_ATTACKS } from "./attacks/trino.ts";
import { openTrinoWorld } from "./trino-shop.ts";

/** Statements that Trino cannot run over any rows: too many stages, or a pattern that it folds, and fails over, before. */
const BEYOND: ReadonlySet<string> = new Set([
  "WITH RECURSIVE r AS (SELECT id, note FROM orders UNION ALL SELECT o.id, o.note FROM orders o JOIN r ON o.id = r.id + 1) SELECT * FROM r",
  "SELECT id FROM orders WHERE CASE WHEN true THEN note END LIKE concat('%ANARY%', chr(33)) ESCAPE '!'",
]);

describe.skipIf(!hasTrino())(hasTrino() ? "Trino" : WITHOUT_TRINO, () => {
  describeAttacks(openTrinoWorld, oneByTurns(), [...sampled(12, BEYOND), ...TRINO_ATTACKS]);
});
