/**
 * Exact numbers, doubles and reals beside each other. In PostgreSQL they meet as doubles: beyond 2^53 several whole numbers are one,
 * 0.1 the real is another number than 0.1, and the two zeros are equal. Engines compare by exact values, by reals or by bits.
 */
const WHOLE =
  "(VALUES (1, 9223372036854775807), (2, 9223372036854775806), (3, 9007199254740993), (4, 0), (5, 16777217), (6, 1), (7, NULL)) AS %(id, v)";
const EXACT =
  "(VALUES (1, 9223372036854775807.0), (2, 9223372036854775808.0), (3, 9007199254740993.0), (4, 0), (5, 16777217), (6, 0.1), (7, 0.5), (8, NULL)) AS %(id, v)";
const DOUBLE =
  "(SELECT id, CASE WHEN id = 3 THEN v * 0 ELSE v END AS v FROM (VALUES (1, 9223372036854775807::float8), (2, 9007199254740992), (3, -1), (4, 0), (5, 16777216), (6, 0.1), (7, 0.5), (8, 1), (9, NULL)) AS d(id, v)) AS %";
const REAL =
  "(VALUES (1, 9223372036854775807::real), (2, 9007199254740992), (3, 0), (4, 16777216), (5, 0.1), (6, 0.5), (7, 1), (8, NULL)) AS %(id, v)";

const PAIRS = [
  [WHOLE, DOUBLE],
  [WHOLE, REAL],
  [EXACT, DOUBLE],
  [EXACT, REAL],
  [DOUBLE, REAL],
] as const;

const KNOWN = "v IS NOT NULL";

const QUESTIONS: readonly ((one: (alias: string) => string, other: (alias: string) => string) => string)[] = [
  (one, other) => `SELECT a.id AS i, b.id AS j FROM ${one("a")} JOIN ${other("b")} ON a.v = b.v ORDER BY 1, 2`,
  (one, other) =>
    `SELECT a.id AS i, b.id AS j FROM ${one("a")} LEFT JOIN ${other("b")} ON a.v IS NOT DISTINCT FROM b.v ORDER BY 1, 2`,
  (one, other) => `SELECT b.id AS i FROM ${one("a")} JOIN ${other("b")} USING (v) ORDER BY 1`,
  (one, other) => `SELECT id FROM ${one("a")} WHERE v IN (SELECT v FROM ${other("b")} WHERE ${KNOWN}) ORDER BY 1`,
  (one, other) => `SELECT id FROM ${other("a")} WHERE v IN (SELECT v FROM ${one("b")} WHERE ${KNOWN}) ORDER BY 1`,
  (one, other) => `SELECT id FROM ${one("a")} WHERE v NOT IN (SELECT v FROM ${other("b")} WHERE ${KNOWN}) ORDER BY 1`,
  (one, other) => `SELECT id FROM ${other("a")} WHERE v = ANY (SELECT v FROM ${one("b")}) ORDER BY 1`,
  (one, other) =>
    `SELECT id FROM ${one("a")} WHERE v > ALL (SELECT v FROM ${other("b")} WHERE id > 2 AND ${KNOWN}) ORDER BY 1`,
  (one, other) => `SELECT id FROM ${one("a")} WHERE EXISTS (SELECT 1 FROM ${other("b")} WHERE a.v = b.v) ORDER BY 1`,
  (one, other) =>
    `SELECT a.id AS i, b.id AS j, a.v = b.v AS e, a.v < b.v AS l, a.v >= b.v AS g, a.v <> b.v AS n, a.v IS DISTINCT FROM b.v AS d FROM ${one("a")} CROSS JOIN ${other("b")} ORDER BY 1, 2`,
  (one, other) =>
    `SELECT a.id AS i, b.id AS j, a.v IN (b.v, -7) AS x, a.v BETWEEN b.v AND b.v AS y, CASE a.v WHEN b.v THEN 1 ELSE 0 END AS z, nullif(a.v, b.v) IS NULL AS w FROM ${one("a")} CROSS JOIN ${other("b")} ORDER BY 1, 2`,
  (one, other) =>
    `SELECT a.id AS i, b.id AS j, greatest(a.v, b.v) AS x, least(a.v, b.v) AS y, coalesce(a.v, b.v) AS z FROM ${one("a")} CROSS JOIN ${other("b")} ORDER BY 1, 2`,
  (_, other) =>
    `SELECT id FROM ${other("a")} WHERE v = ANY (ARRAY[9007199254740993, 16777217]) OR v IN (9007199254740993, 0.1) ORDER BY 1`,
  (one) =>
    `SELECT id FROM ${one("a")} WHERE v IN (9007199254740992::float8, 0.1::float8) OR v = 9223372036854775807::float8 ORDER BY 1`,
  (one) => `SELECT id FROM ${one("a")} WHERE (id, v) IN ((3, 9007199254740992::float8), (6, 0.1::float8)) ORDER BY 1`,
  (_, other) => `SELECT id FROM ${other("a")} WHERE v < ANY (ARRAY[9007199254740993]) ORDER BY 1`,
];

const SETS: typeof QUESTIONS = [
  (one, other) => `SELECT v FROM ${one("a")} UNION SELECT v FROM ${other("b")} ORDER BY 1`,
  (one, other) => `SELECT t.v FROM (SELECT v FROM ${one("a")} UNION ALL SELECT v FROM ${other("b")}) AS t ORDER BY 1`,
  (one, other) =>
    `SELECT t.v, count(*) AS n FROM (SELECT v FROM ${other("b")} UNION ALL SELECT v FROM ${one("a")}) AS t GROUP BY t.v ORDER BY 1`,
];

export interface BesideDoubles {
  readonly sql: string;
  /** A column of reals and other numbers: some engines have no type for both. */
  readonly setOfReals: boolean;
}

const named = (rows: string) => (alias: string) => rows.replace("%", alias);

/** All of them, or of each question those for `share` of the five pairs of types. */
export function besideDoubles(share: number = PAIRS.length): readonly BesideDoubles[] {
  return [...QUESTIONS, ...SETS].flatMap((question, at) =>
    PAIRS.flatMap(([one, other], pair) => {
      if ((pair + at) % PAIRS.length >= share) return [];
      const setOfReals = SETS.includes(question) && other === REAL;
      return [{ sql: question(named(one), named(other)), setOfReals }];
    }),
  );
}
