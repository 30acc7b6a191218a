/** The rows of docs/reference/compatibility.md whose answers are the same on every source that answers, and the model that they ask. */

/** Columns of the table of facts. */
export const COLUMNS = {
  id: "INTEGER",
  big: "BIGINT",
  price: "DECIMAL(38,9)",
  tags: "VARCHAR[]",
  note: "VARCHAR",
  span: "INTERVAL",
};

/** A cube over it. */
export const NOTES = {
  name: "Notes",
  baseObject: "Facts",
  dimensions: [{ name: "note", expression: "note", type: "VARCHAR" }],
  measures: [{ name: "n", expression: "count(*)", type: "BIGINT" }],
};

/** Rows as JSON text, in which no digit has gone through a number of ours. */
export const ROW_CASES: Readonly<
  Record<string, readonly { readonly sql: string; readonly data: string; headers?: object }[]>
> = {
  R1: [{ sql: "SELECT 7 / 2 AS a, -7 / 2 AS b", data: "[[3,-3]]" }],
  R2: [{ sql: "SELECT sum(big) AS a FROM Facts", data: '[["9007199254740995.0"]]' }],
  R3: [{ sql: "SELECT big FROM Facts ORDER BY id", data: "[[9007199254740993],[null],[2]]" }],
  R4: [{ sql: "SELECT price FROM Facts WHERE id = 1", data: '[["12345678901234567890.123456789"]]' }],
  R5: [{ sql: "SELECT tags[1] AS a FROM Facts ORDER BY id", data: '[["x"],[null],["z"]]' }],
  R6: [{ sql: "SELECT id, id FROM Facts ORDER BY 1", data: "[[1,1],[2,2],[3,3]]" }],
  R7: [{ sql: "SELECT id, note FROM Facts WHERE false", data: "[]" }],
  R8: [{ sql: "SELECT id FROM Facts ORDER BY id FETCH FIRST 2 ROWS ONLY", data: "[[1],[2]]" }],
  R9: [{ sql: "SELECT * FROM (VALUES (true), (NULL)) AS t(b) ORDER BY b", data: "[[true],[null]]" }],
  R10: [
    {
      sql: "(SELECT id FROM Facts ORDER BY id LIMIT 1) UNION ALL (SELECT id FROM Facts ORDER BY id DESC LIMIT 1) ORDER BY 1",
      data: "[[1],[3]]",
    },
  ],
  R11: [
    {
      sql: "SELECT DISTINCT ON (note) note, id FROM Facts ORDER BY note, id",
      data: '[["a",1],["c",3],[null,2]]',
    },
    { sql: "SELECT id FROM Facts QUALIFY row_number() OVER (ORDER BY id DESC) = 1", data: "[[3]]" },
  ],
  R12: [
    { sql: "SELECT note FROM Facts ORDER BY note DESC", data: '[["c"],["a"],[null]]' },
    { sql: "SELECT note FROM Facts ORDER BY note", data: '[["a"],["c"],[null]]' },
  ],
  R13: [{ sql: "SELECT CAST('12:34:56.5' AS TIME) AS a", data: '[["12:34:56.500000"]]' }],
  R14: [
    {
      sql: "SELECT CAST('2024-01-02 03:04:05+02' AS TIMESTAMP WITH TIME ZONE) AS a",
      data: '[["2024-01-02 01:04:05.000000 +00:00"]]',
    },
    {
      sql: "SELECT CAST('2024-01-02 03:04:05+02' AS TIMESTAMP WITH TIME ZONE) AS a",
      headers: { "x-wren-timezone": "America/New_York" },
      data: '[["2024-01-01 20:04:05.000000 -05:00"]]',
    },
  ],
  R15: [{ sql: "SELECT CAST('abc' AS BYTEA) AS a", data: '[["616263"]]' }],
  R16: [{ sql: "SELECT span, tags FROM Facts WHERE id = 1", data: '[["1 days 2 hours",["x","y"]]]' }],
  R17: [{ sql: "SELECT 1+1", data: "[[2]]" }],
  R18: [{ sql: "SELECT ID FROM facts WHERE Id = 1", data: "[[1]]" }],
  R19: [
    { sql: "SELECT note, n FROM Notes WHERE n > 0 ORDER BY note", data: '[["a",1],["c",1],[null,1]]' },
    { sql: "SELECT n FROM Notes WHERE note = 'a'", data: "[[1]]" },
  ],
  R20: [{ sql: "SELECT CAST('abc' AS VARCHAR(2)) AS a", data: '[["ab"]]' }],
  R21: [{ sql: "SELECT date_trunc('month', DATE '2024-05-06') AS a", data: '[["2024-05-01 00:00:00.000000"]]' }],
  R22: [
    {
      sql: "SELECT TIMESTAMP '2024-01-01 12:00:00' AT TIME ZONE 'America/New_York' AS a",
      data: '[["2024-01-01 17:00:00.000000 +00:00"]]',
    },
  ],
};

/** The columns of the rows above, where the row is about them. */
export const COLUMN_CASES: Readonly<Record<string, readonly string[]>> = {
  R6: ["id", "id"],
  R7: ["id", "note"],
  R17: ["1 + 1"],
  R18: ["id"],
};
