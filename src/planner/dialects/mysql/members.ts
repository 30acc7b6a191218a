/**
 * Syntax that only one of MySQL and MariaDB accepts, or that differs in meaning. MySQL 8.0.14 and later accept LATERAL and columns
 * of an outer query in a derived table (https://dev.mysql.com/doc/refman/8.0/en/derived-tables.html): operands are bound by one.
 * MariaDB 10.11 accepts neither. MySQL 9.6 has no MD5 (https://dev.mysql.com/doc/relnotes/mysql/9.6/en/), older versions and MariaDB
 * have it.
 */
import type { Member, Target } from "../../lowering/target.ts";
import { digest } from "./texts.ts";

const withLateral = (all: Target): Target => ({
  ...all,
  grammar: { ...all.grammar, lateral: "lateral" },
  rewrites: { ...all.rewrites, bindsOperands: "by a subquery" },
});

const withMd5 = (all: Target): Target => ({
  ...all,
  rewrites: { ...all.rewrites, functions: new Map([...all.rewrites.functions, ["md5", digest]]) },
});

export const MYSQL_MEMBERS: readonly Member[] = [
  { range: { product: "mysql", from: [8, 0, 14] }, of: withLateral },
  { range: { product: "mysql", from: [8, 0, 0], below: [9, 6] }, of: withMd5 },
  { range: { product: "mariadb", from: [10, 6] }, of: withMd5 },
];
