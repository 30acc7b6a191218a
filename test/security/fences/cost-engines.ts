/** The engines of `npm run barriers:cost`: each makes the table `big`, and says how many bytes a statement reads where it knows. */
import { DuckDBInstance } from "@duckdb/node-api";
import { nodeDial } from "../../../sidecar/dial.ts";
import { openChannel } from "../../../sidecar/spark/channel.ts";
import { closed } from "../../../sidecar/spark/failures.ts";
import { SparkSession } from "../../../sidecar/spark/session.ts";
import { parseSparkConnection } from "../../../src/connectors/connection/spark.ts";
import { clickhouseTarget } from "../../../src/planner/dialects/clickhouse/clickhouse.ts";
import { startClickHouse } from "../../support/clickhouse.ts";
import { startMySql } from "../../support/mysql.ts";
import { startPostgres } from "../../support/postgres.ts";
import { startSpark } from "../../support/spark-server.ts";
import { openTrinoSchema } from "../../support/trino.ts";

export interface CostEngine {
  /** Runs a statement and resolves with the bytes that it read, if the engine reports them. */
  run(sql: string): Promise<number | undefined>;
  close(): Promise<void>;
}

const TABLE = "CREATE TABLE big (id bigint PRIMARY KEY, tenant int, kind int, amount int)";

export async function openPostgres(rows: number): Promise<CostEngine> {
  const database = await startPostgres();
  const client = await database.connect();
  const filled = `INSERT INTO big SELECT i, i % 10, i % 100, i % 1000 FROM generate_series(1, ${rows}) AS g(i)`;
  for (const sql of [TABLE, filled, "VACUUM ANALYZE big"]) await client.query(sql);
  return {
    run: async (sql) => {
      const { rows: answer } = await client.query(`EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ${sql}`);
      const { "Shared Hit Blocks": hit, "Shared Read Blocks": read } = answer[0]["QUERY PLAN"][0].Plan;
      return (hit + read) * 8192;
    },
    close: () => database.stop(),
  };
}

export async function openDuckDb(rows: number): Promise<CostEngine> {
  const instance = await DuckDBInstance.create(":memory:", { threads: "2" });
  const connection = await instance.connect();
  const filled = `INSERT INTO big SELECT i, i % 10, i % 100, i % 1000 FROM generate_series(1, ${rows}) AS g(i)`;
  for (const sql of [TABLE, filled]) await connection.run(sql);
  return {
    run: async (sql) => void (await connection.runAndReadAll(sql)),
    close: async () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

export async function openClickHouse(rows: number): Promise<CostEngine> {
  const database = await startClickHouse();
  const session = Object.fromEntries(clickhouseTarget().session.map(({ name, value }) => [name, value]));
  await database.query(
    `CREATE TABLE big (id Int64, tenant Int32, kind Int32, amount Int32) ENGINE = MergeTree ORDER BY id AS
     SELECT number + 1 AS id, id % 10, id % 100, id % 1000 FROM numbers(${rows})`,
  );
  const bytes = async (): Promise<number> => {
    const [[value] = []] = await database.query("SELECT value FROM system.events WHERE event = 'SelectedBytes'");
    return Number(value ?? 0);
  };
  return {
    run: async (sql) => {
      const before = await bytes();
      await database.query(sql, session);
      return (await bytes()) - before;
    },
    close: () => database.stop(),
  };
}

export async function openMySql(rows: number): Promise<CostEngine> {
  const database = await startMySql("mysql");
  await database.query(TABLE);
  await database.query("SET cte_max_recursion_depth = 1000");
  const digits = "WITH RECURSIVE d AS (SELECT 0 AS n UNION ALL SELECT n + 1 FROM d WHERE n < 999)";
  await database.query(
    `INSERT INTO big ${digits} SELECT i, i % 10, i % 100, i % 1000
     FROM (SELECT a.n * 1000000 + b.n * 1000 + c.n + 1 AS i
           FROM d AS a CROSS JOIN d AS b CROSS JOIN d AS c WHERE a.n < ${Math.ceil(rows / 1_000_000)}) AS s WHERE i <= ${rows}`,
  );
  await database.query("ANALYZE TABLE big");
  const bytes = async (): Promise<number> => {
    const [[, value] = []] = await database.query("SHOW GLOBAL STATUS LIKE 'Innodb_buffer_pool_read_requests'");
    return Number(value) * 16_384;
  };
  return {
    run: async (sql) => {
      const before = await bytes();
      await database.query(sql);
      return (await bytes()) - before;
    },
    close: () => database.stop(),
  };
}

export async function openTrino(rows: number): Promise<CostEngine> {
  const schema = await openTrinoSchema();
  await schema.run("CREATE TABLE big (id bigint, tenant integer, kind integer, amount integer)");
  await schema.run(
    `INSERT INTO big SELECT i, CAST(i % 10 AS integer), CAST(i % 100 AS integer), CAST(i % 1000 AS integer)
     FROM (SELECT a * 1000 + b + 1 AS i FROM UNNEST(sequence(0, ${Math.ceil(rows / 1000) - 1})) AS s(a)
           CROSS JOIN UNNEST(sequence(0, 999)) AS t(b)) WHERE i <= ${rows}`,
  );
  let count = 0;
  return {
    run: async (sql) => {
      const marked = `${sql} /* ${++count} of the costs */`;
      await schema.run(marked);
      const [[bytes] = []] = await schema.run(
        `SELECT sum(t.processed_input_bytes) FROM system.runtime.tasks AS t JOIN system.runtime.queries AS q
         ON q.query_id = t.query_id WHERE q.query = '${marked.replaceAll("'", "''")}'`,
      );
      return bytes === null || bytes === undefined ? undefined : Number(bytes);
    },
    close: () => schema.close(),
  };
}

export async function openSpark(rows: number): Promise<CostEngine> {
  const { host, port, pages, stop } = await startSpark();
  const { info } = parseSparkConnection({ host, port });
  const signal = new AbortController().signal;
  const channel = await openChannel(info, { dial: nodeDial([host]), connectTimeoutMs: 10_000 }, signal);
  const session = new SparkSession(channel, "test", { signal, timeoutMs: 600_000 }, () => {});
  const list = (query: string) => session.list({ sql: { query } });
  await list(
    `CREATE TABLE big USING parquet AS SELECT id + 1 AS id, CAST((id + 1) % 10 AS int) AS tenant,
     CAST((id + 1) % 100 AS int) AS kind, CAST((id + 1) % 1000 AS int) AS amount FROM range(${rows})`,
  );
  const [application] = (await (await fetch(`${pages}/api/v1/applications`)).json()) as [{ readonly id: string }];
  const stages = async (): Promise<readonly { readonly stageId: number; readonly inputBytes: number }[]> =>
    (await (await fetch(`${pages}/api/v1/applications/${application.id}/stages`)).json()) as [];
  return {
    run: async (sql) => {
      // The server forgets old stages.
      const last = Math.max(-1, ...(await stages()).map(({ stageId }) => stageId));
      await list(sql);
      const own = (await stages()).filter(({ stageId }) => stageId > last);
      return own.reduce((sum, { inputBytes }) => sum + inputBytes, 0);
    },
    close: async () => {
      await session.end(closed());
      channel.close();
      await stop();
    },
  };
}
