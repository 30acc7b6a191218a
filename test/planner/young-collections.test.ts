/**
 * A plan must not outlive the next young collection of V8: a closure in a constructor once kept each plan's context until a
 * full collection. The test counts sampled bytes that survive, no time.
 */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

/** At most 5,000 bytes survive; with the closure 19,000 did. */
const MOST_BYTES = 8_000;

test("plans leave little for a full collection", async () => {
  const program = fileURLToPath(new URL("../support/plan-memory.ts", import.meta.url));
  // A young generation of one size: while V8 adapts it, objects that are still in use are moved out of it, too.
  const size = ["--min-semi-space-size=16", "--max-semi-space-size=16"];
  const words = [...size, "--experimental-strip-types", "--no-warnings", program];
  const { stdout } = await promisify(execFile)(process.execPath, words);
  expect(Number(stdout)).toBeGreaterThan(0);
  expect(Number(stdout)).toBeLessThan(MOST_BYTES);
});
