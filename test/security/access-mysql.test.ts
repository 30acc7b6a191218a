/** Attempts to get around access rules on MySQL and MariaDB, with what only they have. */
import { describe } from "vitest";
import { hasMySql, MYSQL_FLAVORS, withoutMySql } from "../support/mysql-server.ts";
import { openMySqlWorld } from "./access-world.ts";
import { describeAttacks, rulesByTurns } from "./attacks/describe.ts";
import { ATTACKS } from "./attacks/index.ts";
import { MYSQL_ATTACKS } from "./attacks/mysql.ts";

for (const flavor of MYSQL_FLAVORS) {
  describe.skipIf(!hasMySql(flavor))(hasMySql(flavor) ? flavor : withoutMySql(flavor), () => {
    describeAttacks(() => openMySqlWorld(flavor), rulesByTurns(), [...ATTACKS, ...MYSQL_ATTACKS]);
  });
}
