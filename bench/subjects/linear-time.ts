/** Whether planning time grows with the text and not with its square, shape by shape; and how fast hostile text is refused. */

import { loadManifest, type Manifest, plan } from "../../src/planner/index.ts";
import { DEFAULT_LIMITS } from "../../src/planner/limits.ts";
import { milliseconds, whole } from "../notebook/figures.ts";
import { table } from "../notebook/page.ts";
import { tpchManifest } from "../rig/queries.ts";
import type { Section } from "../subject.ts";

const SIZES = [3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000] as const;
/** Runs of each length; fewer if they take longer than `TOGETHER_MS`. */
const REPEATS = 5;
const TOGETHER_MS = 600;
/** A length is left out when the lengths before it say that it will take longer. */
const PATIENCE_MS = 3_000;
/** Growth as a power of the length: linear is 1, quadratic is 2. Caches and the garbage collector take their share of the room between. */
const GROWTH_BUDGET = 1.5;
const IN_ITEMS = 100_000;

/** A statement of about `length` characters. */
type Shape = (length: number) => string;

/** `piece(0), piece(1), …` between `head` and `tail`, as many as fit. */
function repeated(head: string, piece: (index: number) => string, joint: string, tail: string): Shape {
  return (length) => {
    const pieces: string[] = [];
    for (let left = length - head.length - tail.length; left > 0; ) {
      const text = piece(pieces.length);
      pieces.push(text);
      left -= text.length + joint.length;
    }
    return head + pieces.join(joint) + tail;
  };
}

/** A statement that says the same list twice; `weight` is how many times a piece's length it takes of the whole. */
function twice(piece: (index: number) => string, statement: (list: string) => string, weight = 2): Shape {
  return (length) => {
    const list = repeated("", piece, ", ", "")(length / weight);
    return statement(list);
  };
}

const SHAPES: Readonly<Record<string, Shape>> = {
  "IN list of integers": repeated(
    "SELECT o_orderkey FROM orders WHERE o_orderkey IN (",
    (i) => String(1_000_000 + i),
    ", ",
    ")",
  ),
  "IN list of strings": repeated(
    "SELECT o_orderkey FROM orders WHERE o_clerk IN (",
    (i) => `'Clerk#${100_000 + i}'`,
    ", ",
    ")",
  ),
  "AND chain": repeated("SELECT o_orderkey FROM orders WHERE ", (i) => `o_custkey <> ${i}`, " AND ", ""),
  "OR chain": repeated("SELECT o_orderkey FROM orders WHERE ", (i) => `o_clerk = 'Clerk#${i}'`, " OR ", ""),
  "select list": repeated("SELECT ", (i) => `o_totalprice * ${i} AS price_${i}`, ", ", " FROM orders"),
  "CASE branches": repeated(
    "SELECT CASE ",
    (i) => `WHEN o_custkey = ${i} THEN 'customer ${i}'`,
    " ",
    " END FROM orders",
  ),
  "VALUES rows": repeated("SELECT * FROM (VALUES ", (i) => `(${i}, 'row ${i}')`, ", ", ") AS t(a, b)"),
  "coalesce arguments": repeated("SELECT coalesce(", (i) => `o_custkey + ${i}`, ", ", ") FROM orders"),
  "GROUP BY items": repeated("SELECT count(*) FROM orders GROUP BY ", (i) => `o_custkey + ${i}`, ", ", ""),
  "ORDER BY items": repeated("SELECT o_orderkey FROM orders ORDER BY ", (i) => `o_custkey + ${i}`, ", ", ""),
  "grouped expressions": twice(
    (i) => `o_custkey + ${i}`,
    (items) => `SELECT ${items} FROM orders GROUP BY ${items}`,
  ),
  "ORDER BY aliases": (length) => {
    const count = Math.floor(length / 38);
    const each = (text: (index: number) => string): string =>
      Array.from({ length: count }, (_, i) => text(i)).join(", ");
    return `SELECT ${each((i) => `o_custkey + ${i} AS a${i}`)} FROM orders ORDER BY ${each((i) => `a${i}`)}`;
  },
  "named windows": (length) => {
    const count = Math.floor(length / 72);
    const each = (text: (index: number) => string): string =>
      Array.from({ length: count }, (_, i) => text(i)).join(", ");
    const windows = each((i) => `w${i} AS (PARTITION BY o_custkey + ${i})`);
    return `SELECT ${each((i) => `sum(o_totalprice) OVER w${i}`)} FROM orders WINDOW ${windows}`;
  },
  "columns of one name": repeated("SELECT ", () => "o_custkey", ", ", " FROM orders"),
  stars: repeated("SELECT ", () => "o.*", ", ", " FROM orders AS o"),
  "columns of a derived table": twice(
    (i) => `c_${i}`,
    (names) => `SELECT ${names} FROM (SELECT ${names.replaceAll("c_", "o_custkey AS c_")} FROM orders) AS t`,
    3,
  ),
  "scalar subqueries": repeated(
    "SELECT ",
    (i) => `(SELECT max(l_tax) FROM lineitem WHERE l_orderkey = o_orderkey + ${i})`,
    ", ",
    " FROM orders",
  ),
  "common tables, each reading the last": (length) => {
    const tables = Array.from({ length: Math.floor(length / 32) }, (_, i) => `, t${i + 1} AS (SELECT v FROM t${i})`);
    return `WITH t0 AS (SELECT o_custkey AS v FROM orders)${tables.join("")} SELECT v FROM t${tables.length}`;
  },
  "common tables": repeated(
    "WITH ",
    (i) => `t${i} AS (SELECT o_custkey + ${i} AS v FROM orders)`,
    ", ",
    " SELECT v FROM t0",
  ),
  "one string literal": (length) => `SELECT '${"x".repeat(length)}' AS text FROM orders`,
  "one block comment": (length) => `SELECT /* ${"x".repeat(length)} */ o_orderkey FROM orders`,
  "line comments": repeated("SELECT o_orderkey\n", (i) => `-- remark ${i}`, "\n", "\nFROM orders"),
};

const HOSTILE: Readonly<Record<string, Shape>> = {
  "open parentheses": (length) => `SELECT ${"(".repeat(length)}`,
  "string without an end": (length) => `SELECT '${"x".repeat(length)}`,
  "comment without an end": (length) => `SELECT /*${"/*".repeat(length / 2)}`,
  "dollar signs": (length) => `SELECT ${"$a".repeat(length / 2)}`,
  "unary minuses": (length) => `SELECT ${"- ".repeat(length / 2)}1`,
  "NOT … NOT": (length) => `SELECT ${"NOT ".repeat(length / 4)}true`,
  "chain of operators": repeated("SELECT ", (i) => String(i), " + ", ""),
  "nested calls": (length) => `SELECT ${"abs(".repeat(length / 5)}1${")".repeat(length / 5)}`,
  "UNION ALL": repeated("", (i) => `SELECT ${i} AS v`, " UNION ALL ", ""),
  "cross joins": repeated("SELECT 1 FROM orders AS o", (i) => `CROSS JOIN orders AS o${i}`, " ", ""),
};

export async function linearTime(): Promise<Section> {
  const manifest = opened();
  const measured = Object.entries(SHAPES).map(([name, shape]) => ({ name, times: timesOf(shape, manifest) }));
  const rows = measured.map(({ name, times }) => {
    const growth = growthOf(times);
    return [name, ...SIZES.map((_, index) => cell(times[index])), growth === undefined ? "" : growth.toFixed(2)];
  });
  const growths = measured.map(({ name, times }) => ({ name, growth: growthOf(times) ?? 0 }));
  const over = growths.filter(({ growth }) => growth > GROWTH_BUDGET).sort((a, b) => b.growth - a.growth);
  const worst = growths.reduce((a, b) => (b.growth > a.growth ? b : a));
  const refusals = Object.entries(HOSTILE).map(([name, shape]) => {
    const sql = shape(1_000_000);
    const { ms, answer } = timeOf(sql, manifest);
    return [name, whole(sql.length), answer, milliseconds(ms)];
  });
  const list = `SELECT o_orderkey FROM orders WHERE o_orderkey IN (${Array.from({ length: IN_ITEMS }, (_, i) => i).join(", ")})`;
  const inList = timeOf(list, manifest);
  return {
    title: "Long statements",
    budgets: [
      {
        what: "Planning time over the length of the SQL, as a power of it, worst shape",
        target: `≤ ${GROWTH_BUDGET} (linear is 1)`,
        measured:
          over.length === 0
            ? `${worst.growth.toFixed(2)} (${worst.name})`
            : over.map(({ name, growth }) => `${growth.toFixed(2)} (${name})`).join(", "),
        met: over.length === 0,
        reason: "the shape named walks a list for each of its elements",
      },
    ],
    text: [
      `\`plan()\` in Node for PostgreSQL, statements of one shape and growing length (thousands of characters), fastest of ${REPEATS} after one that does not count (noise only ever adds), milliseconds. Where the planner refuses, its reason stands instead of the time; *—* is a length that was left out because the ones before it say it takes over ${PATIENCE_MS / 1000} s. *Growth* is the power of the length that the time grows with between the last planned length and the second before it: 1 is linear, 2 is quadratic.`,
      table(["Shape", ...SIZES.map((size) => `${size / 1000}`), "Growth"], rows),
      `An IN list of ${whole(IN_ITEMS)} integers (${whole(list.length)} characters): ${inList.answer}, ${milliseconds(inList.ms)} ms.`,
      "Statements that are to be refused, at about a million characters, and what the planner took to say so:",
      table(["Statement", "Characters", "Answer", "ms"], refusals),
      "Not shown: memory, what the source makes of such statements, and workerd's stack, which is smaller than Node's.",
    ].join("\n\n"),
  };
}

interface Timed {
  readonly size: number;
  readonly ms: number;
  /** `planned`, or why not. */
  readonly answer: string;
}

/** The lengths of `SIZES` in turn, until one is expected to take too long. */
function timesOf(shape: Shape, manifest: Manifest): readonly Timed[] {
  const times: Timed[] = [];
  for (const size of SIZES) {
    const [before, last] = times.slice(-2);
    if (before !== undefined && last !== undefined && (last.ms * last.ms) / before.ms > PATIENCE_MS) break;
    times.push(timeOf(shape(size), manifest));
  }
  return times;
}

/** Undefined where the times are too short to say. */
function growthOf(times: readonly Timed[]): number | undefined {
  const planned = times.filter(({ answer }) => answer === PLANNED);
  const last = planned.at(-1);
  const before = planned.at(-3) ?? planned.at(-2);
  if (before === undefined || last === undefined || before === last || last.ms < 5) return undefined;
  return Math.log(last.ms / before.ms) / Math.log(last.size / before.size);
}

function cell(timed: Timed | undefined): string {
  if (timed === undefined) return "—";
  return timed.answer === PLANNED ? milliseconds(timed.ms) : timed.answer;
}

const PLANNED = "planned";

function timeOf(sql: string, manifest: Manifest): Timed {
  const attempt = (): Timed => {
    const started = performance.now();
    const answer = answerTo(sql, manifest);
    return { size: sql.length, ms: performance.now() - started, answer };
  };
  const first = attempt();
  const repeats = Math.max(1, Math.min(REPEATS, Math.floor(TOGETHER_MS / first.ms)));
  const times = Array.from({ length: repeats }, () => attempt().ms);
  return { ...first, ms: Math.min(...times) };
}

function answerTo(sql: string, manifest: Manifest): string {
  try {
    const outcome = plan({
      sql,
      manifest,
      source: "postgres",
      session: new Map(),
      options: { limits: DEFAULT_LIMITS, unknownFunctions: "warn", accessControl: "standard" },
    });
    return outcome.ok ? PLANNED : outcome.error.reason;
  } catch (error) {
    // A fault of the planner: it answers failures as values.
    return `**${error instanceof Error ? error.message : String(error)}**`;
  }
}

function opened(): Manifest {
  const outcome = loadManifest(tpchManifest(), 16 * 1024 * 1024);
  if (!outcome.ok) throw outcome.error;
  return outcome.value;
}
