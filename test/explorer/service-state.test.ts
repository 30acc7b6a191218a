import { expect, test } from "vitest";
import { stateIn } from "../../src/explorer/service-state.ts";

test.each([
  ['{"status":"ready","parts":{"sidecar":"ok"}}', { status: "ready", parts: { sidecar: "ok" } }],
  ['{"status":"degraded","parts":{"sidecar":"draining"}}', { status: "degraded", parts: { sidecar: "draining" } }],
  ['{"status":"unready"}', { status: "unavailable", parts: {} }],
  ["<h1>Bad gateway</h1>", { status: "unavailable", parts: {} }],
  ["null", { status: "unavailable", parts: {} }],
])("%s is shown as %j", (text, state) => {
  expect(stateIn(text)).toEqual(state);
});
