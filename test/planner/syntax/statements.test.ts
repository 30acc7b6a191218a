/** One query and nothing else: what other statements are told. */
import { describe } from "vitest";
import { type Refused, refuses } from "./refusals.ts";

const ONLY_QUERIES = "Only a query is accepted: SELECT, WITH … SELECT or VALUES.";

describe("statements that are no queries", () => {
  refuses(
    "UNSUPPORTED_STATEMENT",
    (
      "INSERT UPDATE DELETE MERGE CREATE DROP ALTER TRUNCATE COPY CALL SET SHOW EXPLAIN PRAGMA ATTACH DO GRANT BEGIN " +
      "VACUUM USE ANALYZE DESCRIBE EXECUTE COMMIT LOAD INSTALL"
    )
      .split(" ")
      .map((word): Refused => [`«${word}» x y z`, `${word} is not supported`, ONLY_QUERIES]),
  );
  refuses("UNSUPPORTED_STATEMENT", [
    ["WITH x AS («DELETE» FROM t RETURNING *) SELECT * FROM x", "DELETE is not supported", ONLY_QUERIES],
    ["WITH x AS (SELECT 1) «insert» INTO t SELECT 1", "INSERT is not supported", ONLY_QUERIES],
    ["  ; «drop» TABLE x", "DROP is not supported", ONLY_QUERIES],
    ["SELECT a «INTO» x FROM t", "SELECT … INTO is not supported", "Queries only read: remove INTO."],
    ["SELECT a FROM t «FOR» UPDATE", "SELECT … FOR UPDATE is not supported", "Queries take no locks: remove FOR."],
    [
      "SELECT a FROM t WHERE b LIMIT 1 «FOR» SHARE",
      "SELECT … FOR SHARE is not supported",
      "Queries take no locks: remove FOR.",
    ],
    [
      "SELECT * FROM (SELECT a FROM t «FOR» NO KEY UPDATE) x",
      "SELECT … FOR NO is not supported",
      "Queries take no locks: remove FOR.",
    ],
  ]);
});

describe("several statements", () => {
  refuses("SEVERAL_STATEMENTS", [
    ["SELECT 1; «SELECT» 2", "the text holds more than one statement", "Send one query at a time."],
    ["SELECT 1;; -- x\n «DROP» TABLE t;", "the text holds more than one statement", "Send one query at a time."],
  ]);
});
