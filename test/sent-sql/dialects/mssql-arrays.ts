/** Statements with arrays for SQL Server, which are JSON documents, by its manual. */
import { manifestOfTable } from "../../support/plan.ts";
import { over, within } from "./group.ts";

export const MSSQL_ARRAYS = [
  ...over(
    manifestOfTable({
      id: "integer",
      s: "text",
      b: "boolean",
      x: "numeric(10,2)",
      d: "date",
      tags: "text[]",
      n: "integer[]",
      big: "bigint[]",
      grid: "integer[][]",
    }),
    {
      "arrays that are built": within("SELECT ", " AS a FROM t", [
        "ARRAY[1, 2]",
        "ARRAY[]::int[]",
        "ARRAY[s, NULL]",
        "array_agg(d ORDER BY s)",
        "string_to_array(s, ',')",
        "n || 3",
        // each value where its first row is
        "array_agg(DISTINCT id)",
      ]),
      "elements of an array column": [
        "SELECT u.x FROM t, unnest(tags) AS u(x)",
        "SELECT u.x, u.i FROM t LEFT JOIN LATERAL unnest(big) WITH ORDINALITY AS u(x, i) ON TRUE",
        "SELECT cardinality(tags) AS a FROM t",
        "SELECT n[2] AS a FROM t",
        "SELECT array_to_string(tags, ', ', '?') AS a FROM t",
        "SELECT id FROM t WHERE 3 > ALL (n)",
        "SELECT id FROM t WHERE tags @> ARRAY['a']",
        "SELECT array_position(ARRAY['a', 'b'], s) AS a FROM t",
      ],
      "arrays that are not supported": [
        "SELECT tags = ARRAY['a'] FROM t",
        "SELECT DISTINCT tags FROM t",
        "SELECT id FROM t GROUP BY id, tags",
        "SELECT max(tags) FROM t",
        "SELECT nullif(tags, n::text[]) FROM t",
        "SELECT greatest(tags, tags) FROM t",
        "SELECT tags::text FROM t",
        "SELECT grid[1] FROM t",
        "SELECT ARRAY[ARRAY[1]] FROM t",
        "SELECT array_agg(b) FROM t",
        "SELECT array_agg(id) OVER () FROM t",
        "SELECT ARRAY[now()] FROM t",
        "SELECT ARRAY(SELECT id FROM t)",
        "SELECT tags[id] FROM t",
        "SELECT 1.5 = ANY (n) FROM t",
        "SELECT string_to_array(s, 'x') FROM t",
        "SELECT array_replace(tags, s, 'x') FROM t",
        "SELECT sum(cardinality(tags)) FROM t",
        "SELECT count(*) FROM t GROUP BY cardinality(tags)",
        "SELECT u.x FROM t RIGHT JOIN LATERAL unnest(tags) AS u(x) ON TRUE",
      ],
    },
  ),
];
