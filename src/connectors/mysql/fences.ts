/**
 * Row rules on servers with MySQL's protocol that are neither MySQL nor MariaDB. They have their own optimizers, and no test has
 * shown that the fences for MySQL and MariaDB also keep expressions from being computed over excluded rows on them
 * (docs/reference/access-rules.md).
 */
import type { Statement } from "../../planner/plan.ts";
import { ConnectorFailure } from "../failure.ts";

/** Names in the compatible version that such servers report: `8.0.30-Vitess`, `8.0.11-TiDB-v8.5.0`. */
const OTHERS = /vitess|planetscale|tidb|oceanbase|polardb-?x|starrocks|doris|singlestore|memsql|dolt/i;

/** Whether a server of this version is MySQL or MariaDB, or one of their builds (Percona, Aurora, a distribution's). */
export const isItself = (serverVersion: string): boolean => !OTHERS.test(serverVersion);

/** Throws `UNPROVEN_FENCE` if the statement has fences and the server is not known to respect them. */
export function checkFences({ fenced }: Pick<Statement, "fenced">, isItself: boolean): void {
  if (fenced !== true || isItself) return;
  throw new ConnectorFailure("UNPROVEN_FENCE", "Models with row rules cannot be read on this server.", {
    hint: "Row rules are supported on MySQL and MariaDB themselves: others are not known to keep expressions that may fail away from excluded rows. The operator's setting ROW_RULES=besteffort runs such statements without a proof.",
  });
}
