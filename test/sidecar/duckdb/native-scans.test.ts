/** Files that SQL of a model may read by itself are listed up to a limit. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { filesBelow } from "../../../sidecar/duckdb/native-scans.ts";

const root = mkdtempSync(join(tmpdir(), "siskin-native-scans-"));
mkdirSync(join(root, "a/b"), { recursive: true });
for (const name of ["one.csv", "a/two.csv", "a/b/three.csv"]) writeFileSync(join(root, name), "x\n");
afterAll(() => rmSync(root, { recursive: true }));

const below = (most?: number) =>
  filesBelow({ directories: [root, join(root, "missing")], files: [join(root, "one.csv"), "/elsewhere"] }, most);

test("every file once, and none of a directory that is missing", async () => {
  expect([...(await below())].toSorted()).toEqual(
    ["/elsewhere", join(root, "a/b/three.csv"), join(root, "a/two.csv"), join(root, "one.csv")].toSorted(),
  );
});

test("more files than the limit are refused", async () => {
  await expect(below(4)).resolves.toHaveLength(4);
  await expect(below(3)).rejects.toMatchObject({
    reason: "FILE_INVALID",
    message: expect.stringContaining("more than 3 files"),
  });
});
