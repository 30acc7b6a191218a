/** The cases of `fences.test.ts`, on MySQL and MariaDB, under their optimizers' other ways to plan and over tables of one row. */
import { describe } from "vitest";
import { hasMySql, MYSQL_FLAVORS, type MySqlFlavor, withoutMySql } from "../support/mysql-server.ts";
import { describeFence, type FenceCase } from "./fences/describe.ts";
import { openMySqlEngine } from "./fences/mysql-engines.ts";

const OWN: Readonly<Record<MySqlFlavor, Pick<FenceCase, "predicates" | "modes" | "leaks">>> = {
  mysql: {
    predicates: ["overflow", "json text", "guard of a cast"],
    modes: ["defaults", "subqueries as derived tables", "hypergraph optimizer", "MyISAM"],
    leaks: [
      { fence: "none", rule: "OR" },
      { fence: "common table", rule: "OR" },
      { fence: "UNION ALL nothing", rule: "EXISTS" },
      { fence: "DISTINCT", rule: "EXISTS" },
      { fence: "volatile condition", rule: "EXISTS" },
    ],
  },
  mariadb: {
    predicates: ["overflow", "exponential", "guard of a cast"],
    modes: ["defaults", "all that is off", "MyISAM"],
    leaks: [
      { fence: "none", rule: "literal" },
      { fence: "common table", rule: "literal" },
      { fence: "UNION ALL nothing", rule: "EXISTS" },
      { fence: "DISTINCT", rule: "IN (subquery)" },
      { fence: "volatile condition", rule: "EXISTS" },
    ],
  },
};

for (const flavor of MYSQL_FLAVORS) {
  describe.skipIf(!hasMySql(flavor))(hasMySql(flavor) ? flavor : withoutMySql(flavor), () => {
    describe.each([40, 1])("%d rows", (rows) => {
      const { leaks, ...own } = OWN[flavor];
      const open = () => openMySqlEngine(flavor, rows);
      describeFence({ open, fence: "OFFSET 0", ...own, leaks: rows === 1 ? [] : leaks });
    });
  });
}
