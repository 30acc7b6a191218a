/**
 * Row rules on servers that speak MySQL's protocol and are neither MySQL nor MariaDB. Their optimizers are their own, and nobody
 * has shown that what fences rules on the two keeps expressions off withheld rows there as well (docs/access-rules.md).
 */
import type { Statement } from "../../planner/plan.ts";
import { ConnectorFailure } from "../failure.ts";

/** What they say of themselves in the version that they are compatible with: `8.0.30-Vitess`, `8.0.11-TiDB-v8.5.0`. */
const OTHERS = /vitess|planetscale|tidb|oceanbase|polardb-?x|starrocks|doris|singlestore|memsql|dolt/i;

/** Whether a server of this version is MySQL or MariaDB, or one of their builds (Percona, Aurora, a distribution's). */
export const isItself = (serverVersion: string): boolean => !OTHERS.test(serverVersion);

/** Fails with `NOT_IMPLEMENTED` where the statement has fences and the server is not known to keep them. */
export function checkFences({ fenced }: Pick<Statement, "fenced">, isItself: boolean): void {
  if (fenced !== true || isItself) return;
  throw new ConnectorFailure("NOT_IMPLEMENTED", "Models with row rules cannot be read on this server.", {
    hint: "Row rules are supported on MySQL and MariaDB themselves: others are not known to keep what may fail away from withheld rows.",
  });
}
