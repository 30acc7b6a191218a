/** ROW_LOSS_POSSIBLE: which inner joins leave rows out of a total, as far as the manifest says so. */
import { expect, test } from "vitest";
import { short, warningsOf } from "./shop.ts";

const LOST = '"a" loses "t" in sum(t.hours)';
const TA = "FROM ticket t JOIN agent a ON a.id = t.agent_id";

test.each<readonly [sql: string, ...expected: readonly string[]]>([
  [`SELECT sum(t.hours) ${TA}`, LOST],
  [`SELECT a.name, sum(t.hours) ${TA} GROUP BY a.name`, LOST],
  [`SELECT count(*) ${TA}`, '"a" loses "t" in count(*)'],
  [`SELECT min(t.hours) ${TA}`, '"a" loses "t" in min(t.hours)'],
  ["SELECT sum(t.hours) FROM agent a JOIN ticket t ON t.agent_id = a.id", LOST],
  ["SELECT sum(t.hours) FROM ticket t, agent a WHERE a.id = t.agent_id AND t.hours > 1", LOST],
  [
    "SELECT sum(t.hours) FROM ticket t JOIN (SELECT 1 AS one) x ON x.one = t.id JOIN agent a ON a.id = t.agent_id",
    LOST,
  ],
  [`SELECT sum(t.hours) ${TA} JOIN team m ON m.id = t.team_id`, LOST],
  // A listing shows what it lacks.
  [`SELECT t.hours, a.name ${TA}`],
  // The outer joins keep them.
  ["SELECT sum(t.hours) FROM ticket t LEFT JOIN agent a ON a.id = t.agent_id"],
  ["SELECT sum(t.hours) FROM agent a RIGHT JOIN ticket t ON a.id = t.agent_id"],
  ["SELECT sum(t.hours) FROM agent a LEFT JOIN ticket t ON a.id = t.agent_id"],
  // The column is NOT NULL, or the modeller says nothing of NULL.
  ["SELECT sum(t.hours) FROM ticket t JOIN team m ON m.id = t.team_id"],
  ["SELECT sum(o.total) FROM orders o JOIN customer c ON c.id = o.customer_id"],
  // The caller asks for the partner.
  [`SELECT sum(t.hours) ${TA} WHERE a.name = 'x'`],
  [`SELECT sum(t.hours) ${TA} AND a.name = 'x'`],
  [`SELECT sum(t.hours) ${TA} WHERE t.agent_id IS NOT NULL`],
  [`SELECT sum(t.hours) ${TA} WHERE EXISTS (SELECT 1 FROM log g WHERE g.note = a.name)`],
  [`SELECT sum(t.hours) ${TA} AND a.wage = t.hours`],
  // The aggregate is about the partner, or about both.
  [`SELECT max(a.wage) ${TA}`],
  [`SELECT sum(t.hours * a.wage) ${TA}`],
  // The join does not follow the relationship.
  ["SELECT sum(t.hours) FROM ticket t JOIN agent a ON a.id = t.hours"],
  ["SELECT sum(t.hours) FROM ticket t JOIN agent a ON a.id > t.agent_id", '"a" repeats "t" in sum(t.hours)'],
  ["SELECT sum(t.hours) FROM ticket t WHERE t.agent_id IN (SELECT a.id FROM agent a)"],
  // Relationships are between models: a view may have left rows out on purpose.
  ["SELECT sum(t.hours) FROM ticket_view t JOIN agent a ON a.id = t.agent_id"],
  ["SELECT sum(t.hours) FROM ticket t JOIN agent_view a ON a.id = t.agent_id"],
])("%s", (sql, ...expected) => {
  expect(warningsOf(sql).map(short)).toEqual(expected);
});
