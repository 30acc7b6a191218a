/** No test depends on the speed of the machine: waits and tests have room for a busy one, and nothing asserts that something was fast. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const files = globSync("test/**/*.ts", { cwd: ROOT, exclude: (path) => path.endsWith("node_modules") })
  .filter((file) => file !== "test/tiers/patience.test.ts")
  .map((file) => [file, readFileSync(join(ROOT, file), "utf8")] as const);

/** An option `timeout` of a test or of a wait, in milliseconds; drivers have options of that name in seconds. */
const WAIT = /(?<![\w"])timeout: (\d[\d_]*)(?![\d_]*\s*[*+])/g;
/** Time of a single test, or of the tests of a group. */
const OWN_TIME = /, \{ timeout: (\d[\d_]*) \}, (?:async )?\(/g;
/** The shortest `testTimeout` of the configurations of vitest here. */
const DEFAULT_MS = 120_000;
const ELAPSED = /(?:performance\.now|Date\.now)\(\) - \w+\)\.toBeLessThan\(/;

const short = (text: string): readonly string[] =>
  [...text.matchAll(WAIT)]
    .filter(([, digits = ""]) => Number(digits.replaceAll("_", "")) > 100)
    .filter(([, digits = ""]) => Number(digits.replaceAll("_", "")) < 20_000)
    .map(([wait]) => wait);

const hurried = (text: string): readonly string[] =>
  [...text.matchAll(OWN_TIME)]
    .filter(([, digits = ""]) => Number(digits.replaceAll("_", "")) <= DEFAULT_MS)
    .map(([, digits = ""]) => digits);

describe("patience", () => {
  test("the rules find what they are for", () => {
    expect(short("expect.poll(look, { timeout: 2000 })")).toEqual(["timeout: 2000"]);
    expect(short("{ timeout: 30_000 + 200 * COUNT }, { connect_timeout: 500 }, { timeout: 30 }")).toEqual([]);
    expect("expect(performance.now() - began).toBeLessThan(5)").toMatch(ELAPSED);
  });

  test("every wait is given 20 seconds or more", () => {
    expect(files.flatMap(([file, text]) => short(text).map((wait) => `${file}: ${wait}`))).toEqual([]);
  });

  test("no test has less time than others have by default", () => {
    expect(hurried('test("a", { timeout: 60_000 }, async () => {')).toEqual(["60_000"]);
    expect(files.flatMap(([file, text]) => hurried(text).map((digits) => `${file}: ${digits}`))).toEqual([]);
  });

  test("no elapsed time has an upper limit", () => {
    expect(files.filter(([, text]) => ELAPSED.test(text)).map(([file]) => file)).toEqual([]);
  });
});
