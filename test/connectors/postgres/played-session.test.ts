/** The connector over a wire that is played to the byte, for what a real server does only now and then. */
import { expect, it } from "vitest";
import type { Wire } from "../../../src/connectors/socket/wire.ts";
import {
  bindComplete,
  commandComplete,
  dataRow,
  errorResponse,
  loggedIn,
  parseComplete,
  readyForQuery,
  rowDescription,
  settingsApplied,
} from "../../support/postgres-messages.ts";
import { drain, failureOf, patient, plain } from "../contract.ts";
import { NODE_HOST, openFromNode } from "./fixture.ts";

/** Answers each turn of the client with the next of `answers`, in one read. */
function openPlayed(...answers: Buffer[]) {
  const waiting: (() => void)[] = [];
  let turns = 0;
  let given = 0;
  const wire: Wire = {
    peer: "played",
    alwaysVerifies: false,
    read: async () => {
      while (given >= turns) await new Promise<void>((resolve) => waiting.push(resolve));
      return answers[given++];
    },
    write: async () => {
      turns++;
      waiting.shift()?.();
    },
    startTls: () => Promise.reject(new Error("not here")),
    close: () => {
      turns = Number.POSITIVE_INFINITY;
      waiting.shift()?.();
    },
  };
  const raw = { host: "db.example.com", port: 5432, database: "d", user: "u", kwargs: { sslmode: "disable" } };
  return openFromNode(raw, { ...NODE_HOST, dial: async () => wire });
}

const result = (...rows: Buffer[]): Buffer =>
  Buffer.concat([
    settingsApplied,
    parseComplete,
    bindComplete,
    rowDescription("a"),
    ...rows,
    commandComplete(),
    readyForQuery,
  ]);

it("goes on after a result that had come whole and that nobody read", async () => {
  const many = Array.from({ length: 2000 }, (_, i) => dataRow(String(i)));
  const connector = await openPlayed(loggedIn, result(...many), result(dataRow("next")));
  const unread = await connector.query(plain("SELECT 1"), patient());
  await unread.close();
  expect(await drain(await connector.query(plain("SELECT 2"), patient()))).toEqual([["next"]]);
  await connector.close();
});

it("gives out what had come whole even when the time is over by then", async () => {
  const connector = await openPlayed(loggedIn, result(dataRow("1"), dataRow("2")));
  const options = { signal: new AbortController().signal, timeoutMs: 1 };
  const complete = await connector.query(plain("SELECT 1"), options);
  expect(await drain(complete)).toEqual([["1"], ["2"]]);
  await connector.close();
});

it("gives out the rows that came before an error", async () => {
  const half = Buffer.concat([
    settingsApplied,
    parseComplete,
    bindComplete,
    rowDescription("a"),
    dataRow("1"),
    errorResponse("22012", "division by zero"),
    readyForQuery,
  ]);
  const connector = await openPlayed(loggedIn, half, result());
  const broken = await connector.query(plain("SELECT 1"), patient());
  expect([...(await broken.batches.next()).value]).toEqual([["1"]]);
  expect((await failureOf(broken.batches.next())).reason).toBe("SOURCE_ERROR");
  expect(await drain(await connector.query(plain("SELECT 2"), patient()))).toEqual([]);
  await connector.close();
});
