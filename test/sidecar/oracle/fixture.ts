/** A connector to the FAKE Oracle database (`test/support/tns-server.ts`), and the answers it has for the contract's questions. */
import { nodeDial } from "../../../sidecar/dial.ts";
import { type OracleHost, openOracle } from "../../../sidecar/oracle/connector.ts";
import { parseOracleConnection } from "../../../src/connectors/connection/oracle.ts";
import type { Connector } from "../../../src/connectors/connector.ts";
import type { ContractStatements } from "../../connectors/contract.ts";
import { type FakeColumn, NULL, number, text } from "../../support/tns-messages.ts";
import {
  FAKE_PASSWORD,
  FAKE_SERVICE,
  FAKE_USER,
  type FakeAnswer,
  FakeFault,
  type FakeRow,
} from "../../support/tns-server.ts";

export const NODE_HOST: OracleHost = { dial: nodeDial(["127.0.0.1"]), connectTimeoutMs: 5000 };

/** Connection fields as clients send them. */
export const connectionTo = (
  { host, port }: { readonly host: string; readonly port: number },
  change: object = {},
) => ({ host, port, database: FAKE_SERVICE, user: FAKE_USER, password: FAKE_PASSWORD, ...change });

export function open(raw: unknown, host: OracleHost = NODE_HOST): Promise<Connector> {
  return openOracle(parseOracleConnection(raw).info, host, { signal: new AbortController().signal });
}

export const STATEMENTS: ContractStatements = {
  numbers: (count) => `SELECT n FROM numbers FETCH FIRST ${count} ROWS ONLY`,
  endless: "SELECT n FROM endless",
  stuck: "SELECT n FROM stuck",
  nulls: "SELECT 1, 'a', n, x FROM nulls",
  sameNames: "SELECT 1 AS x, 2 AS x FROM dual",
  syntaxError: "SELECT 1 FROM WHERE",
  unknownTable: "SELECT 1 FROM missing_thing",
  failsWhenRun: "SELECT 1 / 0 AS x FROM dual",
  writes: "WITH FUNCTION f RETURN NUMBER IS BEGIN write(); RETURN 1; END; SELECT f FROM dual",
};

const INTEGER: FakeColumn = { name: "n", type: 2, precision: 9 };
const TEXT: FakeColumn = { name: "x", type: 1, form: 1, size: 10 };

function* numbered(count: number): Iterable<FakeRow> {
  for (let at = 1; at <= count; at++) yield [number(String(at))];
}

export interface FakeShop {
  readonly answer: FakeAnswer;
  /** How often something was written. */
  readonly effects: () => number;
}

/** Fixed answers to the contract's statements: this fake parses no SQL. */
export function shop(): FakeShop {
  let effects = 0;
  const answer: FakeAnswer = (statement) => {
    const plain = statement.replaceAll(/\/\*[\s\S]*?\*\//g, "").trim();
    if (/^BEGIN /.test(plain)) return undefined;
    const [, count] = /^SELECT n FROM numbers FETCH FIRST (\d+) ROWS ONLY$/.exec(plain) ?? [];
    if (count !== undefined) return { columns: [INTEGER], rows: () => numbered(Number(count)) };
    switch (plain) {
      case STATEMENTS.endless:
        return { columns: [INTEGER], rows: () => numbered(Number.POSITIVE_INFINITY) };
      case STATEMENTS.stuck:
        return { columns: [INTEGER], rows: stuck };
      case STATEMENTS.nulls:
        return {
          columns: [INTEGER, TEXT, INTEGER, TEXT],
          rows: () => [[number("1"), text("a"), NULL, NULL]],
        };
      case STATEMENTS.sameNames: {
        const x = { ...INTEGER, name: "X" };
        return { columns: [x, x], rows: () => [[number("1"), number("2")]] };
      }
      case STATEMENTS.syntaxError:
        throw new FakeFault(903, "invalid table name", 14);
      case STATEMENTS.failsWhenRun:
        return { columns: [INTEGER], rows: divided };
    }
    if (/write\(\)/.test(plain)) {
      effects++;
      return undefined;
    }
    throw new FakeFault(942, "table or view does not exist", statement.indexOf("missing_thing"));
  };
  return { answer, effects: () => effects };
}

async function* stuck(): AsyncIterable<FakeRow> {
  yield await new Promise<FakeRow>(() => {});
}

// biome-ignore lint/correctness/useYield: it fails before its first row
function* divided(): Iterable<FakeRow> {
  throw new FakeFault(1476, "divisor is equal to zero");
}
