/** `md5` where the server has it: over the bytes in UTF-8, whatever the column's character set is. */
import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask } from "../parity/judge.ts";
import { hasMySql, MYSQL_FLAVORS, withoutMySql } from "../support/mysql-server.ts";
import { manifestOfTable } from "../support/plan.ts";
import { type OpenedSource, openMySqlWith } from "../support/sources.ts";

const manifest = manifestOfTable({ id: "INTEGER", l: "VARCHAR", u: "VARCHAR" });
const TEXTS = ["abc", "", "éÀ", "it''s"];
const digest = (text: string): string => createHash("md5").update(text.replaceAll("''", "'")).digest("hex");

for (const flavor of MYSQL_FLAVORS) {
  describe.skipIf(!hasMySql(flavor))(hasMySql(flavor) ? flavor : withoutMySql(flavor), () => {
    let opened: OpenedSource;
    beforeAll(async () => {
      opened = await openMySqlWith(flavor, async (run) => {
        await run(
          "CREATE TABLE t (id int PRIMARY KEY, l varchar(20) CHARACTER SET latin1, u varchar(20) CHARACTER SET utf8mb4)",
        );
        await run(
          `INSERT INTO t VALUES ${TEXTS.map((text, id) => `(${id}, '${text}', '${text}')`).join(", ")}, (9, NULL, NULL)`,
        );
      });
    });
    afterAll(() => opened?.close());

    test("md5", async () => {
      const answer = await ask("SELECT md5(l) AS l, md5(u) AS u FROM t ORDER BY id", manifest, "mysql", opened);
      const expected = [...TEXTS.map((text) => [digest(text), digest(text)]), [null, null]];
      const isWithout = flavor === "mysql" && !("rows" in answer);
      if (isWithout) expect(answer).toMatchObject({ outcome: "refused", detail: expect.stringContaining("md5") });
      else expect(answer).toMatchObject({ rows: expected });
    });

    test("md5 in comparisons and groups", async () => {
      const sql = `SELECT md5(l) AS m, count(*) AS n FROM t WHERE md5(u) = '${digest("abc")}' GROUP BY md5(l)`;
      const answer = await ask(sql, manifest, "mysql", opened);
      if (flavor === "mysql" && !("rows" in answer)) return;
      expect(answer).toMatchObject({ rows: [[digest("abc"), expect.anything()]] });
    });
  });
}
