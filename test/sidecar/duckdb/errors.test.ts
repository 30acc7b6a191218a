import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Connector } from "../../../src/connectors/connector.ts";
import { engineFailure, readEngineError, utf16Offset } from "../../../src/connectors/duckdb/engine-error.ts";
import { ask, calling, connectTo, failureOf, type Playground, playground, statement } from "./fixtures.ts";

let ground: Playground;
let connector: Connector;

beforeAll(async () => {
  ground = playground();
  ground.write("a.csv", "x,y\n1,one\n");
  connector = await connectTo(ground);
});
afterAll(async () => {
  await connector.close();
  ground.remove();
});

describe("errors of the engine", () => {
  /** `¶` marks the place that the position points at. */
  it.each<[sql: string, reason: string, code: string, message: RegExp]>([
    ["¶SELEC 1", "SOURCE_INVALID_SQL", "Parser", /^Parser Error: syntax error at or near "SELEC"$/],
    ["SELECT 'é😀',\n  1 +¶", "SOURCE_INVALID_SQL", "Parser", /^Parser Error: syntax error at end of input$/],
    ["SELECT ¶nope", "SOURCE_INVALID_SQL", "Binder", /^Binder Error: Referenced column "nope" was not found/],
    ["SELECT 'é😀', ¶nope FROM range(2)", "SOURCE_INVALID_SQL", "Binder", /nope/],
    ['SELECT ¶z FROM "a.csv"', "SOURCE_INVALID_SQL", "Binder", /Candidate bindings: "x"/],
    ["SELECT * FROM ¶nope", "SOURCE_INVALID_SQL", "Catalog", /^Catalog Error: Table with name nope does not exist!/],
    ["SELECT ¶nope(1)", "SOURCE_INVALID_SQL", "Catalog", /Scalar Function with name nope does not exist!/],
    ["SELECT ¶sum('a')", "SOURCE_INVALID_SQL", "Binder", /No function matches/],
    ["SELECT 'a'¶::integer", "SOURCE_ERROR", "Conversion", /^Conversion Error: Could not convert string 'a' to INT32$/],
    ['SELECT ¶CAST(x + 300 AS tinyint) FROM "a.csv"', "SOURCE_ERROR", "Conversion", /out of range/],
  ])("%s", async (marked, reason, code, message) => {
    const sql = marked.replace("¶", "");
    const failure = await failureOf(ask(connector, sql, "a.csv"));
    expect(failure).toMatchObject({ reason, engineCode: code });
    expect(failure.message).toMatch(message);
    expect(failure.position).toBe(marked.indexOf("¶"));
  });

  it.each<[sql: string, reason: string, code: string]>([
    ['SELECT 9223372036854775807 + x FROM "a.csv"', "SOURCE_ERROR", "Out of Range"],
    ["SELECT error('mine')", "SOURCE_ERROR", "Invalid Input"],
    ["SELECT (SELECT i FROM range(2) t(i))", "SOURCE_ERROR", "Invalid Input"],
  ])("%s, without a place", async (sql, reason, code) => {
    const failure = await failureOf(ask(connector, sql, "a.csv"));
    expect(failure).toMatchObject({ reason, engineCode: code, position: undefined });
  });

  it("are the same for a dry run, as far as nothing has to run for them", async () => {
    const failure = await failureOf(connector.dryRun(statement('SELECT nope FROM "a.csv"', "a.csv"), calling()));
    expect(failure).toMatchObject({ reason: "SOURCE_INVALID_SQL", position: 7 });
    expect(await connector.dryRun(statement('SELECT x FROM "a.csv"', "a.csv"), calling())).toEqual({});
  });
});

describe("reading an engine's error", () => {
  it.each<[text: string, expected: object]>([
    [
      '{"exception_type":"Binder","exception_message":"no","position":"7"}',
      { type: "Binder", message: "no", position: 7 },
    ],
    [
      'Parser Error: {"exception_type":"Parser","exception_message":"no"}',
      { type: "Parser", message: "no", position: undefined },
    ],
    [
      '{"exception_type":"Binder", broken',
      { type: "Unknown", message: '{"exception_type":"Binder", broken', position: undefined },
    ],
    ["Out of Memory Error: too much", { type: "Out of Memory", message: "too much", position: undefined }],
    ["Failed to set config", { type: "Unknown", message: "Failed to set config", position: undefined }],
    [
      '{"exception_type":"Binder","exception_message":"no","position":"-1"}',
      { type: "Binder", message: "no", position: undefined },
    ],
  ])("%s", (text, expected) => {
    expect(readEngineError(new Error(text))).toEqual(expected);
  });

  it("a position of a reader is none in the statement", () => {
    const error = new Error('{"exception_type":"Invalid Input","exception_message":"Malformed JSON","position":"5"}');
    expect(engineFailure(error, { hide: (text) => text, sql: "SELECT 1 FROM x" }).position).toBeUndefined();
  });

  it.each<[text: string, offset: number, unit: "bytes" | "code points", units: number | undefined]>([
    ["abc", 0, "bytes", 0],
    ["abc", 3, "bytes", 3],
    ["abc", 4, "bytes", undefined],
    ["abc", -1, "bytes", undefined],
    ["é😀x", 2, "bytes", 1],
    ["é😀x", 6, "bytes", 3],
    ["é😀x", 7, "bytes", 4],
    ["é😀x", 4, "bytes", undefined],
    ["é😀x", 2, "code points", 3],
    ["é😀x", 3, "code points", 4],
    ["é😀x", 4, "code points", undefined],
  ])("%j: %d %s are %s units", (text, offset, unit, units) => {
    expect(utf16Offset(text, offset, unit)).toBe(units);
  });
});
