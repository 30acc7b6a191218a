/**
 * What one of MySQL and MariaDB says and the other does not, or not with the same meaning. LATERAL: MySQL from 8.0.14 on
 * (https://dev.mysql.com/doc/refman/8.0/en/lateral-derived-tables.html); MariaDB 10.11 has none.
 */
import type { Member, Target } from "../../lowering/target.ts";

const withLateral = (all: Target): Target => ({ ...all, grammar: { ...all.grammar, lateral: "lateral" } });

export const MYSQL_MEMBERS: readonly Member[] = [{ range: { product: "mysql", from: [8, 0, 14] }, of: withLateral }];
