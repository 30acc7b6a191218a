/**
 * Syntax that only one of MySQL and MariaDB accepts, or that differs in meaning. MySQL 8.0.14 and later accept LATERAL and columns
 * of an outer query in a derived table (https://dev.mysql.com/doc/refman/8.0/en/derived-tables.html): operands are bound by one.
 * MariaDB 10.11 accepts neither.
 */
import type { Member, Target } from "../../lowering/target.ts";

const withLateral = (all: Target): Target => ({
  ...all,
  grammar: { ...all.grammar, lateral: "lateral" },
  rewrites: { ...all.rewrites, bindsOperands: "by a subquery" },
});

export const MYSQL_MEMBERS: readonly Member[] = [{ range: { product: "mysql", from: [8, 0, 14] }, of: withLateral }];
