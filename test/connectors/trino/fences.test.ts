/** Statements over rows with rules run on servers alone that are known to keep them. */
import { describe, expect, it, test } from "vitest";
import { parseTrinoConnection } from "../../../src/connectors/connection/trino.ts";
import { openTrino } from "../../../src/connectors/http/trino.ts";
import { keepsFences } from "../../../src/connectors/trino/fences.ts";
import { failureOf, patient, plain } from "../contract.ts";

test.each<[version: unknown, keeps: boolean]>([
  ["476", true],
  ["480", true],
  ["475", false],
  ["476-e.1", false],
  ["476-SNAPSHOT", false],
  ["0.289", false],
  [476, false],
  [undefined, false],
])("version %j: %j", (version, keeps) => {
  expect(keepsFences({ nodeVersion: { version }, coordinator: true })).toBe(keeps);
});

test.each([undefined, null, "476", {}, { nodeVersion: "476" }])("an answer that tells no version: %j", (answer) => {
  expect(keepsFences(answer)).toBe(false);
});

describe("a statement with fences", () => {
  const ask = async (version: string, fenced: boolean) => {
    const asked: string[] = [];
    const answering: typeof fetch = async (url, init) => {
      asked.push(`${init?.method ?? "GET"} ${new URL(String(url)).pathname}`);
      return Response.json(asked.at(-1)?.endsWith("/info") ? { nodeVersion: { version } } : { stats: {} });
    };
    const { info } = parseTrinoConnection({ host: "http://trino", catalog: "c", schema: "s", user: "u" });
    const connector = await openTrino(info, { fetch: answering }, { signal: new AbortController().signal });
    const statement = { ...plain("SELECT 1"), ...(fenced && { fenced: true as const }) };
    return { asked, run: async () => void (await connector.query(statement, patient())) };
  };

  it("is not sent to a server with an optimizer of its own", async () => {
    const { asked, run } = await ask("476-e.1", true);
    expect(await failureOf(run())).toMatchObject({ reason: "UNPROVEN_FENCE" });
    expect(asked).toEqual(["GET /v1/info"]);
  });

  it("is sent to Trino, which is asked what it is; others ask nothing", async () => {
    for (const [fenced, expected] of [
      [true, ["GET /v1/info", "POST /v1/statement"]],
      [false, ["POST /v1/statement"]],
    ] as const) {
      const { asked, run } = await ask("476", fenced);
      await failureOf(run()).catch(() => undefined);
      expect(asked).toEqual(expected);
    }
  });
});
