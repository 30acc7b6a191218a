/**
 * PostgreSQL's own answer to a query's text. The rows lie in two databases in different physical orders, and the second
 * groups and joins by other algorithms: an answer that differs between them is not fixed by the query, a fault of the
 * corpus.
 */

import { type Answer, judgeAgainst } from "../parity/judge.ts";
import { query as parse } from "../planner/syntax/parsing.ts";
import { readCells } from "../support/canonical-cells.ts";
import { startPostgres, type TestDatabase } from "../support/postgres.ts";
import { type OpenedSource, openPostgresDatabase } from "../support/sources.ts";
import { loadPostgres } from "./loading.ts";
import type { CorpusSchema } from "./tables.ts";

const SHUFFLE = 53;

export interface Reference {
  /** Holds the rows in their written order. */
  readonly database: TestDatabase;
  /** `ordered`: the query fixes the order of its rows. Throws where the text is no query or its answer is not fixed. */
  answer(sql: string): Promise<{ readonly answer: Answer; readonly ordered: boolean }>;
  close(): Promise<void>;
}

export async function openReference(schema: CorpusSchema): Promise<Reference> {
  const [database, other] = await Promise.all([
    prepare(schema, []),
    prepare(schema, ["enable_hashagg = off", "enable_hashjoin = off"], SHUFFLE),
  ]);
  return {
    database: database.database,
    answer: async (sql) => {
      const text = withNullsLast(sql);
      const answer = await run(database.opened, text);
      const again = await run(other.opened, text);
      const difference = differs(answer, again, false);
      if (difference !== undefined) throw new Error(`the query does not fix its answer: ${difference}`);
      return { answer, ordered: isSorted(sql) && differs(answer, again, true) === undefined };
    },
    close: async () => {
      for (const each of [database, other]) {
        await each.opened.close();
        await each.database.stop();
      }
    },
  };
}

function differs(answer: Answer, again: Answer, ordered: boolean): string | undefined {
  const verdict = judgeAgainst(answer, again, { ordered, json: "value" });
  return verdict.outcome === "right" ? undefined : verdict.detail;
}

async function prepare(
  schema: CorpusSchema,
  settings: readonly string[],
  shuffle?: number,
): Promise<{ readonly database: TestDatabase; readonly opened: OpenedSource }> {
  const database = await startPostgres();
  const client = await database.connect();
  await loadPostgres(client, schema, shuffle);
  for (const setting of ["timezone = 'UTC'", "jit = off", ...settings])
    await client.query(`ALTER DATABASE ${database.database} SET ${setting}`);
  await client.end();
  return { database, opened: await openPostgresDatabase(database) };
}

async function run({ connector }: OpenedSource, sql: string): Promise<Answer> {
  const statement = { sql, columns: [], session: [], reads: [] };
  const stream = await connector.query(statement, { signal: new AbortController().signal, timeoutMs: 30_000 });
  const { columns, rows } = await readCells(stream);
  return { columns, rows, names: columns.map((column) => column.name) };
}

/**
 * The originals name no NULL order where they mean any; ours is last in both directions
 * (docs/decisions/0042-judging-answers.md#decision).
 */
function withNullsLast(sql: string): string {
  return sql.replace(/\bDESC\b(?!\s+NULLS)/gi, "DESC NULLS LAST").replace(/;\s*$/, "");
}

/**
 * Ties that are kept have no order among them, also where both databases happen to agree. Texts that our parser does not
 * take are refused anyway, whatever their order.
 */
function isSorted(sql: string): boolean {
  try {
    const { orderBy, limit } = parse(sql);
    return orderBy.length > 0 && limit?.withTies !== true;
  } catch {
    return false;
  }
}
