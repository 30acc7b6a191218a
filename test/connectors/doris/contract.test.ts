import { describe } from "vitest";
import { hasMySql, withoutMySql } from "../../support/mysql-server.ts";
import { describeConnector } from "../contract.ts";
import { startDorisFixture } from "./fixture.ts";

describe.skipIf(!hasMySql("mysql"))(hasMySql("mysql") ? "MySQL" : withoutMySql("mysql"), () => {
  describeConnector("Doris' connector over MySQL behind a front, which is not Doris,", () => startDorisFixture());
});
