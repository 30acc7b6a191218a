/**
 * The contract of every connector (`src/connectors/connector.ts`), as one suite over a fixture's connector. A claim in
 * `capabilities` is tested if it is made; the rest holds for all.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CallOptions, Connector, Statement } from "../../src/connectors/connector.ts";
import { ConnectorFailure, type FailureReason } from "../../src/connectors/failure.ts";
import type { ResultStream, Row } from "../../src/result/types.ts";

/** Until a source with a hundred other statements to run has begun one, or has ended it; how soon it ends one is asked where it has no others. */
const PATIENCE_MS = 25_000;

/** SQL of the source. A statement that is told to be long must end only when it is stopped. */
export interface ContractStatements {
  /** `count` rows of one integer column `n`: 1, 2, 3 … in order. */
  readonly numbers: (count: number) => string;
  /** Rows without end, soon after the start. */
  readonly endless: string;
  /** No row for a minute at least. */
  readonly stuck: string;
  /** One row: an integer, a text, and the same of each as NULL. */
  readonly nulls: string;
  /** Two columns of one name: 1 and 2. Absent where the source refuses them. */
  readonly sameNames?: string;
  readonly syntaxError: string;
  /** Holds the word `missing_thing`, at which the source's error points when it has positions. */
  readonly unknownTable: string;
  /** Right as far as can be checked without running it, and an error when it runs. */
  readonly failsWhenRun: string;
  /** Changes something that `effect` sees. Absent where the source has no way to write in a query. */
  readonly writes?: string;
}

export interface ContractFixture {
  readonly statements: ContractStatements;
  /** Session settings of the statements. */
  readonly session?: Statement["session"];
  /** A connector of its own for each call. */
  open(): Promise<Connector>;
  /** How many statements that hold this text run on the source now; absent where nobody can know. */
  running?(marker: string): Promise<number>;
  /** How often `statements.writes` has taken effect. */
  effects?(): Promise<number>;
  close(): Promise<void>;
}

export const plain = (sql: string): Statement => ({ sql, columns: [], session: [], reads: [] });

export const patient = (signal: AbortSignal = new AbortController().signal): CallOptions => ({
  signal,
  timeoutMs: 60_000,
  isolation: "tests",
});

export async function drain(result: ResultStream): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const batch of result.batches) rows.push(...batch);
  return rows;
}

/** The failure that `work` ends with; anything else fails the test. */
export async function failureOf(work: Promise<unknown>): Promise<ConnectorFailure> {
  const outcome = await work.then(
    () => new Error("It succeeded."),
    (error: unknown) => error,
  );
  if (outcome instanceof ConnectorFailure) return outcome;
  throw outcome;
}

async function reasonOf(work: Promise<unknown>): Promise<FailureReason> {
  return (await failureOf(work)).reason;
}

let markers = 0;

export function describeConnector(name: string, start: () => Promise<ContractFixture>): void {
  describe(`${name} keeps the connectors' contract`, () => {
    let fixture: ContractFixture;
    let sql: ContractStatements;
    const opened: Connector[] = [];

    beforeAll(async () => {
      fixture = await start();
      sql = fixture.statements;
    });
    afterAll(async () => {
      await Promise.all(opened.map((connector) => connector.close()));
      await fixture?.close();
    });

    const stated = (text: string): Statement => ({ ...plain(text), session: fixture.session ?? [] });
    const open = async (): Promise<Connector> => {
      const connector = await fixture.open();
      opened.push(connector);
      return connector;
    };
    /** The statement with a text that tells it from all others on the source, and what waits until it no longer runs. */
    const marked = (text: string) => {
      const marker = `contract_${process.pid}_${++markers}`;
      return {
        statement: stated(`${text} /* ${marker} */`),
        runs: async () => {
          if (fixture.running === undefined) return;
          await expect.poll(() => fixture.running?.(marker), { timeout: PATIENCE_MS, interval: 20 }).toBe(1);
        },
        ends: async (claimed: boolean) => {
          if (fixture.running === undefined || !claimed) return;
          await expect.poll(() => fixture.running?.(marker), { timeout: PATIENCE_MS, interval: 20 }).toBe(0);
        },
      };
    };

    describe("results", () => {
      it("gives every row once, in order, in batches that are not empty", async () => {
        const connector = await open();
        const result = await connector.query(stated(sql.numbers(25_000)), patient());
        expect(result.columns.map((column) => column.name)).toEqual(["n"]);
        const sizes: number[] = [];
        const seen: number[] = [];
        for await (const batch of result.batches) {
          sizes.push(batch.length);
          for (const row of batch) seen.push(Number(row[0]));
        }
        expect(seen).toEqual(Array.from({ length: 25_000 }, (_, i) => i + 1));
        expect(Math.min(...sizes)).toBeGreaterThan(0);
        expect(sizes.length).toBeGreaterThan(1);
      });

      it("keeps columns and types of an empty result", async () => {
        const connector = await open();
        const full = await connector.query(stated(sql.numbers(1)), patient());
        await drain(full);
        const empty = await connector.query(stated(sql.numbers(0)), patient());
        expect(empty.columns).toEqual(full.columns);
        expect(await drain(empty)).toEqual([]);
      });

      it("gives NULL as null", async () => {
        const connector = await open();
        const [row] = await drain(await connector.query(stated(sql.nulls), patient()));
        expect(row?.map((value) => value === null)).toEqual([false, false, true, true]);
      });

      it("keeps columns of the same name apart", async () => {
        if (sql.sameNames === undefined) return;
        const connector = await open();
        const result = await connector.query(stated(sql.sameNames), patient());
        expect(new Set(result.columns.map((column) => column.name)).size).toBe(1);
        expect((await drain(result)).map((row) => row.map(Number))).toEqual([[1, 2]]);
      });

      it("runs one statement after another on one connection", async () => {
        const connector = await open();
        for (const count of [1, 2000, 0, 3]) {
          expect(await drain(await connector.query(stated(sql.numbers(count)), patient()))).toHaveLength(count);
        }
      });

      it("gives batches in order to a reader that pulls ahead", async () => {
        const connector = await open();
        const result = await connector.query(stated(sql.numbers(10_000)), patient());
        const pulled = await Promise.all(Array.from({ length: 4 }, () => result.batches.next()));
        const seen = pulled.flatMap((step) => (step.done ? [] : Array.from(step.value, (row) => Number(row[0]))));
        expect(seen).toEqual(seen.map((_, i) => i + 1));
        expect(seen.length + (await drain(result)).length).toBe(10_000);
      });

      it("stays at its end", async () => {
        const connector = await open();
        const result = await connector.query(stated(sql.numbers(1)), patient());
        await drain(result);
        expect(await result.batches.next()).toEqual({ done: true, value: undefined });
        expect(await result.batches.next()).toEqual({ done: true, value: undefined });
      });
    });

    describe("closing", () => {
      it("ends a statement with rows left, whenever and however often it is called", async () => {
        const connector = await open();
        if (connector.capabilities.streaming === "whole") return;
        const { statement, ends } = marked(sql.endless);
        const result = await connector.query(statement, patient());
        expect((await result.batches.next()).done).toBe(false);
        await Promise.all([result.close(), result.close()]);
        await result.close();
        expect((await result.batches.next()).done).toBe(true);
        await ends(connector.capabilities.cancels);
      });

      it("ends a pull that waits", async () => {
        const connector = await open();
        if (connector.capabilities.streaming === "whole") return;
        const result = await connector.query(stated(sql.endless), patient());
        const pulls = Promise.all(Array.from({ length: 50 }, () => result.batches.next()));
        await result.close();
        expect((await pulls).at(-1)?.done).toBe(true);
      });

      it("before the first row is pulled", async () => {
        const connector = await open();
        const result = await connector.query(stated(sql.numbers(5000)), patient());
        await result.close();
        expect((await result.batches.next()).done).toBe(true);
      });

      it("does no harm after the last row", async () => {
        const connector = await open();
        const result = await connector.query(stated(sql.numbers(2)), patient());
        await drain(result);
        await result.close();
        expect(await drain(await connector.query(stated(sql.numbers(2)), patient()))).toHaveLength(2);
      });

      it("is what breaking out of the loop does", async () => {
        const connector = await open();
        if (connector.capabilities.streaming === "whole") return;
        const { statement, ends } = marked(sql.endless);
        const result = await connector.query(statement, patient());
        for await (const batch of result.batches) {
          expect(batch.length).toBeGreaterThan(0);
          break;
        }
        expect((await result.batches.next()).done).toBe(true);
        await ends(connector.capabilities.cancels);
      });

      it("of the connector ends what still runs, and every later use", async () => {
        const connector = await open();
        const { statement, runs, ends } = marked(sql.stuck);
        const waiting = reasonOf(connector.query(statement, patient()).then(drain));
        await runs();
        await Promise.all([connector.close(), connector.close()]);
        await connector.close();
        await waiting;
        await ends(connector.capabilities.cancels);
        await failureOf(connector.query(stated(sql.numbers(1)), patient()));
      });
    });

    describe("abort", () => {
      it("before the call: nothing is sent", async () => {
        const connector = await open();
        const aborted = patient(AbortSignal.abort(new Error("gone")));
        expect(await reasonOf(connector.query(stated(sql.stuck), aborted))).toBe("CANCELLED");
        expect(await reasonOf(connector.dryRun(stated(sql.stuck), aborted))).toBe("CANCELLED");
        expect(await drain(await connector.query(stated(sql.numbers(1)), patient()))).toHaveLength(1);
      });

      it("while the source is silent: at once, and on the source too where that is claimed", async () => {
        const connector = await open();
        const { statement, runs, ends } = marked(sql.stuck);
        const controller = new AbortController();
        const waiting = reasonOf(connector.query(statement, patient(controller.signal)).then(drain));
        await runs();
        controller.abort(new Error("gone"));
        expect(await waiting).toBe("CANCELLED");
        await ends(connector.capabilities.cancels);
      });

      it("between batches", async () => {
        const connector = await open();
        if (connector.capabilities.streaming === "whole") return;
        const { statement, ends } = marked(sql.endless);
        const controller = new AbortController();
        const result = await connector.query(statement, patient(controller.signal));
        await result.batches.next();
        controller.abort(new Error("gone"));
        // Nobody pulls and nobody closes: the signal alone must do.
        await ends(connector.capabilities.cancels);
        expect(await reasonOf(drain(result))).toBe("CANCELLED");
        await result.close();
      });

      it("after the end: nothing happens", async () => {
        const connector = await open();
        const controller = new AbortController();
        const result = await connector.query(stated(sql.numbers(3)), patient(controller.signal));
        await drain(result);
        controller.abort(new Error("gone"));
        expect(await drain(await connector.query(stated(sql.numbers(1)), patient()))).toHaveLength(1);
      });
    });

    it("ends a statement that runs out of its time, on the source too", async () => {
      const connector = await open();
      const { statement, ends } = marked(sql.stuck);
      const options = { signal: new AbortController().signal, timeoutMs: 100 };
      const failure = await failureOf(connector.query(statement, options).then(drain));
      expect(failure.reason).toBe("STATEMENT_TIMEOUT");
      expect(failure.message).not.toBe("");
      await ends(true);
    });

    describe("failures", () => {
      it.each(["syntaxError", "unknownTable"] as const)(
        "%s is the statement's fault, and the connection survives",
        async (kind) => {
          const connector = await open();
          const failure = await failureOf(connector.query(stated(sql[kind]), patient()).then(drain));
          expect(failure.reason).toBe("SOURCE_INVALID_SQL");
          expect(failure.message).not.toBe("");
          expect(await drain(await connector.query(stated(sql.numbers(1)), patient()))).toHaveLength(1);
        },
      );

      it("points at the place, counted in UTF-16 units, where positions are claimed", async () => {
        const connector = await open();
        if (!connector.capabilities.errorPositions) return;
        // Beyond the BMP: one character, two units, four bytes.
        const text = `/* 𝒳 é */ ${sql.unknownTable}`;
        const failure = await failureOf(connector.query(stated(text), patient()).then(drain));
        expect(failure.position).toBe(text.indexOf("missing_thing"));
      });

      it("of running are not the statement's fault", async () => {
        const connector = await open();
        expect(await reasonOf(connector.query(stated(sql.failsWhenRun), patient()).then(drain))).toBe("SOURCE_ERROR");
      });

      it.each(["\0", "\ud800"])("text that would not arrive as it is (%j) is refused", async (odd) => {
        const connector = await open();
        await failureOf(connector.query(stated(`${sql.numbers(1)} -- ${odd}`), patient()).then(drain));
        await failureOf(connector.dryRun(stated(`${sql.numbers(1)} -- ${odd}`), patient()));
      });
    });

    describe("dry run", () => {
      it("passes what is right, without running it", async () => {
        const connector = await open();
        for (const text of [sql.numbers(10), sql.stuck, sql.endless, sql.failsWhenRun]) {
          await connector.dryRun(stated(text), { signal: new AbortController().signal, timeoutMs: 10_000 });
        }
        expect(await drain(await connector.query(stated(sql.numbers(1)), patient()))).toHaveLength(1);
      });

      it.each(["syntaxError", "unknownTable"] as const)("finds %s", async (kind) => {
        const connector = await open();
        const failure = await failureOf(connector.dryRun(stated(sql[kind]), patient()));
        expect(failure.reason).toBe("SOURCE_INVALID_SQL");
        if (connector.capabilities.errorPositions && kind === "unknownTable") {
          expect(failure.position).toBe(sql.unknownTable.indexOf("missing_thing"));
        }
        await connector.dryRun(stated(sql.numbers(1)), patient());
      });

      it("has no effect", async () => {
        if (sql.writes === undefined || fixture.effects === undefined) return;
        const connector = await open();
        const before = await fixture.effects();
        // A source that knows already that it would write may say so.
        await Promise.allSettled([connector.dryRun(stated(sql.writes), patient())]);
        expect(await fixture.effects()).toBe(before);
      });
    });

    it("does not write, even when asked to", async () => {
      if (sql.writes === undefined || fixture.effects === undefined) return;
      const connector = await open();
      const before = await fixture.effects();
      await failureOf(connector.query(stated(sql.writes), patient()).then(drain));
      expect(await fixture.effects()).toBe(before);
    });
  });
}
