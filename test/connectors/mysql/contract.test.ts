import { describe } from "vitest";
import { hasMySql, MYSQL_FLAVORS, withoutMySql } from "../../support/mysql-server.ts";
import { describeConnector } from "../contract.ts";
import { startMySqlFixture } from "./fixture.ts";

for (const flavor of MYSQL_FLAVORS) {
  describe.skipIf(!hasMySql(flavor))(hasMySql(flavor) ? flavor : withoutMySql(flavor), () => {
    describeConnector("over a socket", () => startMySqlFixture(flavor));
  });
}
