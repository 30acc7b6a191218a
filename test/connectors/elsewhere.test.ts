import { expect, it } from "vitest";
import { CAPABILITIES } from "../../src/connectors/capabilities.ts";
import type { Connector } from "../../src/connectors/connector.ts";
import { elsewhereIfLacking } from "../../src/connectors/elsewhere.ts";
import { ConnectorFailure, type FailureReason } from "../../src/connectors/failure.ts";
import { failureOf, patient, plain } from "./contract.ts";

function connector(name: string, calls: string[], reason?: FailureReason): Connector {
  const call = async (what: string): Promise<never> => {
    calls.push(`${name} ${what}`);
    throw new ConnectorFailure(reason ?? "SOURCE_ERROR", `${name} fails`);
  };
  return {
    capabilities: CAPABILITIES.duckdb,
    query: () => call("query"),
    dryRun: () => call("dryRun"),
    catalog: () => call("catalog"),
    close: async () => void calls.push(`${name} close`),
  };
}

it.each<[FailureReason, hasOneEngine: boolean, isTried: boolean]>([
  ["TLS_UNTRUSTED", false, true],
  ["NEEDS_SIDECAR", false, true],
  ["NEEDS_SIDECAR", true, true],
  ["OVERLOADED", true, true],
  ["OVERLOADED", false, false],
  ["SOURCE_CRASHED", true, true],
  ["SOURCE_CRASHED", false, false],
  ["SOURCE_ERROR", true, false],
  ["SOURCE_OUT_OF_MEMORY", true, false],
  ["AUTHENTICATION", true, false],
])("%s, of one engine: %s, is tried in the sidecar: %s", async (reason, hasOneEngine, isTried) => {
  const calls: string[] = [];
  const open = async () => connector("second", calls);
  const tried = elsewhereIfLacking(connector("first", calls, reason), open, { hasOneEngine });
  await failureOf(tried.query(plain("SELECT 1"), patient()));
  await failureOf(tried.dryRun(plain("SELECT 1"), patient()));
  await tried.close();
  expect(calls).toEqual(
    isTried
      ? ["first query", "second query", "second dryRun", "first close", "second close"]
      : ["first query", "first dryRun", "first close"],
  );
});

it("not for a caller that has gone", async () => {
  const calls: string[] = [];
  const open = async () => connector("second", calls);
  const tried = elsewhereIfLacking(connector("first", calls, "NEEDS_SIDECAR"), open, { hasOneEngine: true });
  await failureOf(tried.query(plain("SELECT 1"), patient(AbortSignal.abort())));
  expect(calls).toEqual(["first query"]);
});
