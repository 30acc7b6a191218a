/** Statements on the real server that take long, bring much, or are ended by somebody. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Connector } from "../../../src/connectors/connector.ts";
import { drain, failureOf, patient, plain } from "../contract.ts";
import { openFromNode, POSTGRES_STATEMENTS, type PostgresFixture, startPostgresFixture } from "./fixture.ts";

let fixture: PostgresFixture;
beforeAll(async () => {
  fixture = await startPostgresFixture();
});
afterAll(async () => {
  await fixture?.close();
});

interface Activity {
  readonly pid: number;
  readonly state: string;
  readonly wait: string | null;
}

async function activity(marker: string): Promise<Activity | undefined> {
  const { rows } = await fixture.observer.query(
    "SELECT pid, state, wait_event AS wait FROM pg_stat_activity WHERE query LIKE '%' || $1 || '%' AND pid <> pg_backend_pid()",
    [marker],
  );
  return rows[0];
}

async function using<T>(work: (connector: Connector) => Promise<T>, raw?: unknown): Promise<T> {
  const connector = raw === undefined ? await fixture.open() : await openFromNode(raw);
  try {
    return await work(connector);
  } finally {
    await connector.close();
  }
}

it("leaves rows on the server until they are pulled", async () => {
  await using(async (connector) => {
    const result = await connector.query(plain(`${POSTGRES_STATEMENTS.endless} /* unhurried */`), patient());
    await result.batches.next();
    // The server has filled the buffers between us and waits: it has stopped computing.
    const waits = async () => {
      for (let seen = 0; seen < 20; seen++) {
        if ((await activity("unhurried"))?.wait !== "ClientWrite") return false;
      }
      return true;
    };
    await expect.poll(waits, { timeout: 30_000 }).toBe(true);
    for (let i = 0; i < 20; i++) await result.batches.next();
    await expect.poll(waits, { timeout: 30_000 }).toBe(true);
    await result.close();
    await expect.poll(() => activity("unhurried")).toBeUndefined();
  });
});

it("ends a pull that waits for a row when it is closed", async () => {
  await using(async (connector) => {
    const result = await connector.query(plain("SELECT pg_sleep(60) /* closed_while_waiting */"), patient());
    const pull = result.batches.next();
    await expect.poll(async () => (await activity("closed_while_waiting"))?.state).toBe("active");
    await result.close();
    expect(await pull).toEqual({ done: true, value: undefined });
    await expect.poll(() => activity("closed_while_waiting")).toBeUndefined();
  });
});

it.each(["SELECT 1\0", "SELECT 1\0\0\0", "SELECT '\ud800'"])("does not send %j", async (sql) => {
  await using(async (connector) => {
    for (const work of [connector.query(plain(sql), patient()).then(drain), connector.dryRun(plain(sql), patient())]) {
      const failure = await failureOf(work);
      expect([failure.reason, failure.engineCode]).toEqual(["SOURCE_INVALID_SQL", undefined]);
    }
    expect(await drain(await connector.query(plain("SELECT 1"), patient()))).toEqual([[1]]);
  });
});

it("reads a million rows without holding them", async () => {
  await using(async (connector) => {
    const million = "SELECT n, repeat('x', 60) FROM generate_series(1, 1000000) AS s(n)";
    const result = await connector.query(plain(million), patient());
    let rows = 0;
    let largest = 0;
    for await (const batch of result.batches) {
      rows += batch.length;
      largest = Math.max(largest, batch.length);
    }
    expect(rows).toBe(1_000_000);
    expect(largest).toBeLessThan(5000);
  });
});

it("may be planned in parallel: no limit is put on the portal", async () => {
  await fixture.observer.query(
    "CREATE TABLE wide AS SELECT i, repeat('x', 200) AS t FROM generate_series(1, 60000) AS s(i)",
  );
  await fixture.observer.query("ALTER TABLE wide SET (parallel_workers = 2); ANALYZE wide");
  await fixture.observer.query(`CREATE FUNCTION workers() RETURNS integer LANGUAGE sql STABLE PARALLEL SAFE
    AS 'SELECT count(*)::int FROM pg_stat_activity WHERE leader_pid IS NOT NULL'`);
  const session = ["parallel_setup_cost", "parallel_tuple_cost", "min_parallel_table_scan_size"].map((name) => ({
    name,
    value: "0",
  }));
  await using(async (connector) => {
    const statement = { ...plain("SELECT max(workers()) FROM wide WHERE t <> ''"), session };
    const [row] = await drain(await connector.query(statement, patient()));
    expect(Number(row?.[0])).toBeGreaterThan(0);
  });
});

describe("ended by others", () => {
  it("pg_terminate_backend after 500,000 rows", async () => {
    await using(async (connector) => {
      const result = await connector.query(plain(`${POSTGRES_STATEMENTS.endless} /* to_be_terminated */`), patient());
      let rows = 0;
      const reading = (async () => {
        for await (const batch of result.batches) {
          const before = rows;
          rows += batch.length;
          if (before < 500_000 && rows >= 500_000) {
            await fixture.observer.query("SELECT pg_terminate_backend($1)", [
              (await activity("to_be_terminated"))?.pid,
            ]);
          }
        }
      })();
      const failure = await failureOf(reading);
      expect(failure.reason).toBe("UPSTREAM_PROTOCOL");
      // A server that was just waiting to write says nothing more and only closes.
      expect(failure.message).toMatch(/^terminating connection due to administrator command$|closed|broke/);
      expect(rows).toBeGreaterThanOrEqual(500_000);
      await failureOf(connector.query(plain("SELECT 1"), patient()).then(drain));
    });
  });

  it("pg_cancel_backend is no time-out", async () => {
    await using(async (connector) => {
      const waiting = failureOf(
        connector.query(plain("SELECT pg_sleep(60) /* to_be_cancelled */"), patient()).then(drain),
      );
      await expect.poll(async () => (await activity("to_be_cancelled"))?.state).toBe("active");
      await fixture.observer.query("SELECT pg_cancel_backend($1)", [(await activity("to_be_cancelled"))?.pid]);
      const failure = await waiting;
      expect([failure.reason, failure.engineCode]).toEqual(["SOURCE_ERROR", "57014"]);
      expect(await drain(await connector.query(plain("SELECT 1"), patient()))).toEqual([[1]]);
    });
  });
});

describe("time-outs on the server", () => {
  const soon = { signal: new AbortController().signal, timeoutMs: 60 };

  it("in its own words, and the session goes on", async () => {
    await using(async (connector) => {
      const failure = await failureOf(connector.query(plain("SELECT pg_sleep(60)"), soon).then(drain));
      expect([failure.reason, failure.message]).toEqual([
        "STATEMENT_TIMEOUT",
        "canceling statement due to statement timeout",
      ]);
      expect(await drain(await connector.query(plain("SELECT 1"), patient()))).toEqual([[1]]);
    });
  });

  it("between rows", async () => {
    await using(async (connector) => {
      const slowly = "SELECT n, CASE WHEN n = 3000 THEN pg_sleep(60)::text END FROM generate_series(1, 3000) AS s(n)";
      const result = await connector.query(plain(slowly), { ...soon, timeoutMs: 300 });
      expect((await failureOf(drain(result))).reason).toBe("STATEMENT_TIMEOUT");
    });
  });

  it("set by the connection itself", async () => {
    const raw = { connectionUrl: fixture.database.url, kwargs: { options: "-c statement_timeout=70" } };
    await using(async (connector) => {
      const failure = await failureOf(connector.query(plain("SELECT pg_sleep(60)"), patient()).then(drain));
      expect(failure.reason).toBe("STATEMENT_TIMEOUT");
    }, raw);
  });
});

describe("what the server says about SQL", () => {
  it.each<[string, string, string, string | undefined]>([
    ["SELECT 1 FROM WHERE", "SOURCE_INVALID_SQL", "42601", "WHERE"],
    ["SELECT nope FROM effect", "SOURCE_INVALID_SQL", "42703", "nope"],
    ["SELECT no_such_function(1)", "SOURCE_INVALID_SQL", "42883", "no_such_function"],
    ["SELECT 1 FROM nowhere.effect", "SOURCE_INVALID_SQL", "42P01", "nowhere.effect"],
    ["SELECT 'a'::integer", "SOURCE_ERROR", "22P02", "'a'"],
    ["SELECT 1 / 0", "SOURCE_ERROR", "22012", undefined],
    ["INSERT INTO effect VALUES (now())", "SOURCE_ERROR", "25006", undefined],
    ["CREATE TABLE x ()", "SOURCE_ERROR", "25006", undefined],
    ["SELECT set_config('transaction_read_only', 'off', true)", "SOURCE_ERROR", "25001", undefined],
    ["SELECT 1; SELECT 2", "SOURCE_INVALID_SQL", "42601", undefined],
    ["SELECT (SELECT n FROM generate_series(1, 2) AS s(n))", "SOURCE_ERROR", "21000", undefined],
  ])("%s", async (sql, reason, code, at) => {
    await using(async (connector) => {
      const failure = await failureOf(connector.query(plain(sql), patient()).then(drain));
      expect([failure.reason, failure.engineCode]).toEqual([reason, code]);
      if (at !== undefined) expect(failure.position).toBe(sql.indexOf(at));
      expect(await drain(await connector.query(plain("SELECT 1"), patient()))).toEqual([[1]]);
    });
  });

  it("a right that is missing is no fault of the SQL", async () => {
    const { host, port, database } = fixture.database;
    // Roles belong to the server, which other test files share.
    const stranger = `stranger_of_${database}`;
    await fixture.observer.query(`CREATE ROLE ${stranger} LOGIN PASSWORD 'stranger'`);
    await using(
      async (connector) => {
        const failure = await failureOf(connector.query(plain("SELECT * FROM effect"), patient()).then(drain));
        expect([failure.reason, failure.engineCode]).toEqual(["SOURCE_ERROR", "42501"]);
        expect(failure.message).toContain("permission denied for table effect");
      },
      { host, port, database, user: stranger, password: "stranger" },
    );
    await fixture.observer.query(`DROP ROLE ${stranger}`);
  });

  it("the server's hint and detail reach the caller", async () => {
    await fixture.observer.query(`CREATE FUNCTION complain() RETURNS integer LANGUAGE plpgsql AS
      'BEGIN RAISE EXCEPTION ''too bad'' USING DETAIL = ''the detail'', HINT = ''the hint''; END'`);
    await using(async (connector) => {
      const failure = await failureOf(connector.query(plain("SELECT complain()"), patient()).then(drain));
      expect([failure.message, failure.hint]).toEqual(["too bad\nthe detail", "the hint"]);
    });
  });
});
