/** Soups of words, quotes and brackets: what comes out is a text or a typed error, whatever went in. */
import { describe, expect, it } from "vitest";
import { PlannerError } from "../../../src/planner/diagnostics.ts";
import { LEXICAL_RULES } from "../../../src/planner/dialects/lexical.ts";
import type { DataSource } from "../../../src/planner/plan.ts";
import { random } from "../syntax/random.ts";
import { substituted } from "./substituting.ts";

const PIECES = (
  "SELECT FROM WITH RECURSIVE AS JOIN LEFT ON USING WHERE GROUP BY ORDER UNION ALL EXCEPT VALUES TABLE LATERAL VIEW ONLY APPLY " +
  "CROSS INTO INSERT ARRAY OFFSET IS NOT DISTINCT MATERIALIZED SEARCH CYCLE FOR SYSTEM_TIME FINAL NOLOCK USE INDEX bare lines " +
  "public orders a b x . . , , ( ( ) ) [ ] { } ; * + - -- # // /* */ ' ' '' \" \" ` ` ''' \"\"\" $$ $a$ \\ E' N' q'[ ]' U&' r' b' @ $ 1 2.5 é \n"
).split(" ");

describe.each(Object.keys(LEXICAL_RULES) as DataSource[])("%s", (source) => {
  it("answers or refuses", () => {
    const { below, chance, pick } = random(source.length * 7919 + source.charCodeAt(0));
    for (let i = 0; i < 2000; i++) {
      const length = 1 + below(25);
      const soup = Array.from({ length }, () => pick(PIECES)).join(chance(0.7) ? " " : "");
      const sql = chance(0.6) ? `SELECT ${soup}` : soup;
      try {
        const { sql: text, origins } = substituted(sql, { source, schema: "public" });
        expect(text, sql).toBe(text.trim());
        for (let at = 0; at < origins.length; at += 3) {
          const [offset = 0, start = 0, end = 0] = origins.slice(at, at + 3);
          expect(offset <= text.length && start < end && end <= sql.length, sql).toBe(true);
        }
      } catch (error) {
        if (!(error instanceof PlannerError)) throw new Error(`fails on ${JSON.stringify(sql)}`, { cause: error });
      }
    }
  });
});
