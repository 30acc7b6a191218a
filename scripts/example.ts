/**
 * Writes `examples/tpch/question.json`, the request that `npm start` prints: the manifest in the same directory as base64, and a
 * query over the bundled files. A test checks that both agree.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const FOLDER = new URL("../examples/tpch/", import.meta.url);

const QUESTION = `SELECT c.segment, count(*) AS orders, sum(o.total) AS revenue
FROM orders o JOIN customers c ON c.id = o.customer_id
WHERE o.ordered_on >= '1997-01-01' AND o.is_large
GROUP BY c.segment
ORDER BY revenue DESC`;

/** The request as it must be in the repository. */
export function exampleRequest(): string {
  const body = {
    sql: QUESTION,
    manifestStr: readFileSync(new URL("manifest.json", FOLDER)).toString("base64"),
    connectionInfo: { url: "/", format: "parquet" },
  };
  return `${JSON.stringify(body, null, 2)}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL("question.json", FOLDER), exampleRequest());
}
