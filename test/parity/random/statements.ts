/**
 * Random statements of the constructs that engines differ in: what real queries showed as wrong once, and their relatives
 * (docs/decisions/0042-judging-answers.md#decision); `to_char` has its own in `formats.test.ts`. A seed makes one statement of each
 * subject in turn.
 */
import { Random } from "../../support/random-query.ts";
import { jsonConstants, jsonEdits, jsonTexts } from "./documents.ts";
import { endless, floatTexts } from "./edges.ts";
import type { Maker, Statement } from "./maker.ts";
import { meetings } from "./meetings.ts";
import { exponents, keys, names, quotients, reals } from "./numbers.ts";
import { patterns } from "./patterns.ts";
import { distinctValues, series } from "./series.ts";
import { dates, intervals, json, valuesAsTexts } from "./texts.ts";

const MAKERS: Readonly<Record<string, Maker>> = {
  series,
  distinctValues,
  quotients,
  names,
  json,
  jsonTexts,
  jsonConstants,
  jsonEdits,
  valuesAsTexts,
  reals,
  meetings,
  exponents,
  keys,
  dates,
  intervals,
  patterns,
  floatTexts,
  endless,
};

export const SUBJECTS: readonly string[] = Object.keys(MAKERS);

export function randomStatement(subject: string, seed: number): Statement {
  const random = new Random(seed);
  const { sql, ordered } = MAKERS[subject]!(random);
  // A column of the same shape twice, and a table around it: neither changes what the rows mean.
  if (/^\(?WITH |\bLIMIT\b/.test(sql) || !random.chance(0.15)) return { sql, ordered };
  return random.pick([
    () => ({ sql: `WITH z AS (${sql}) SELECT * FROM z`, ordered: false }),
    () => ({ sql: `SELECT * FROM (${sql}) AS z`, ordered: false }),
    () => ({ sql: `(${sql}) UNION ALL (${sql})`, ordered: false }),
  ])();
}
