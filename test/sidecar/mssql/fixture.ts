/** A connector to the FAKE SQL Server (`test/support/tds-server.ts`), and the answers it has for the contract's questions. */
import { nodeDial } from "../../../sidecar/dial.ts";
import { type MsSqlHost, openMsSql } from "../../../sidecar/mssql/connector.ts";
import { parseMsSqlConnection } from "../../../src/connectors/connection/mssql.ts";
import type { Connector } from "../../../src/connectors/connector.ts";
import type { ContractStatements } from "../../connectors/contract.ts";
import { columns, compressedRow, error, int, nvarchar, row, TYPES } from "../../support/tds-messages.ts";
import { FAKE_DATABASE, FAKE_PASSWORD, FAKE_USER, type FakeAnswer } from "../../support/tds-server.ts";

export const NODE_HOST: MsSqlHost = { dial: nodeDial(["127.0.0.1"]), connectTimeoutMs: 5000 };

/** Connection fields as clients send them; no authority trusts the test certificate. */
export const connectionTo = (
  { host, port }: { readonly host: string; readonly port: number },
  change: object = {},
) => ({
  host,
  port,
  database: FAKE_DATABASE,
  user: FAKE_USER,
  password: FAKE_PASSWORD,
  kwargs: { trustServerCertificate: "YES" },
  ...change,
});

export function open(raw: unknown, host: MsSqlHost = NODE_HOST): Promise<Connector> {
  return openMsSql(parseMsSqlConnection(raw).info, host, { signal: new AbortController().signal });
}

export const STATEMENTS: ContractStatements = {
  numbers: (count) => `SELECT TOP (${count}) n FROM numbers ORDER BY n`,
  endless: "SELECT n FROM endless",
  stuck: "SELECT n FROM stuck",
  nulls: "SELECT 1, N'a', n, x FROM nulls",
  sameNames: "SELECT 1 AS x, 2 AS x",
  syntaxError: "SELECT 1 FROM WHERE",
  unknownTable: "SELECT 1 FROM missing_thing",
  failsWhenRun: "SELECT 1 / 0 AS x",
  writes: "WITH x AS (SELECT 1 AS n) INSERT INTO effects SELECT n FROM x",
};

const N = columns([{ name: "n", type: TYPES.int }]);
/** Rows of one part of an answer. */
const PART = 100;

function* numbered(count: number): Iterable<Buffer> {
  yield N;
  for (let from = 1; from <= count; from += PART) {
    const last = Math.min(from + PART - 1, count);
    yield Buffer.concat(Array.from({ length: last - from + 1 }, (_, step) => row(int(from + step))));
  }
}

export interface FakeShop {
  readonly answer: FakeAnswer;
  /** How often something was written. */
  readonly effects: () => number;
}

/** Fixed answers to the contract's statements: this fake parses no SQL. */
export function shop(): FakeShop {
  let effects = 0;
  const answer: FakeAnswer = async function* (statement) {
    const text = statement.replaceAll(/\/\*[\s\S]*?\*\//g, "").trim();
    const [, count] = /^SELECT TOP \((\d+)\) n FROM numbers ORDER BY n$/.exec(text) ?? [];
    if (count !== undefined) return yield* numbered(Number(count));
    switch (text) {
      case STATEMENTS.endless:
        return yield* numbered(Number.POSITIVE_INFINITY);
      case STATEMENTS.stuck:
        yield N;
        return await new Promise(() => {});
      case STATEMENTS.nulls:
        yield columns([
          { name: "", type: TYPES.int },
          { name: "", type: TYPES.nvarchar },
          { name: "n", type: TYPES.int },
          { name: "x", type: TYPES.nvarchar },
        ]);
        return yield compressedRow(int(1), nvarchar("a"), null, null);
      case STATEMENTS.sameNames:
        yield columns([
          { name: "x", type: TYPES.int },
          { name: "x", type: TYPES.int },
        ]);
        return yield row(int(1), int(2));
      case STATEMENTS.syntaxError:
        return yield error({ number: 156, level: 15, message: "Incorrect syntax near the keyword 'WHERE'." });
      case STATEMENTS.failsWhenRun:
        yield columns([{ name: "x", type: TYPES.int }]);
        return yield error({ number: 8134, message: "Divide by zero error encountered." });
    }
    if (/\b(?:INSERT|UPDATE|DELETE)\b/.test(text)) {
      effects++;
      return;
    }
    const [, name = text] = /\bFROM (\w+)/.exec(text) ?? [];
    yield error({ number: 208, message: `Invalid object name '${name}'.` });
  };
  return { answer, effects: () => effects };
}
