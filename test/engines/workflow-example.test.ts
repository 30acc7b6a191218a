/** examples/model-checks.yml by actionlint, which go builds from the module proxy. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

const ACTIONLINT = "github.com/rhysd/actionlint/cmd/actionlint@v1.7.7";
const hasGo = spawnSync("go", ["version"]).status === 0;

test.skipIf(hasGo)("go is not installed: the example of a workflow is not linted", () => {});

test.skipIf(!hasGo)("the example of a workflow has no fault", () => {
  const directory = mkdtempSync(join(tmpdir(), "siskin-workflow-"));
  try {
    mkdirSync(join(directory, ".github/workflows"), { recursive: true });
    spawnSync("git", ["init", "-q", directory]);
    cpSync("examples/model-checks.yml", join(directory, ".github/workflows/model.yml"));
    const { status, stdout, stderr } = spawnSync("go", ["run", ACTIONLINT, "-no-color"], {
      cwd: directory,
      encoding: "utf8",
    });
    expect({ status, stdout, stderr: status === 0 ? "" : stderr }).toEqual({ status: 0, stdout: "", stderr: "" });
  } finally {
    rmSync(directory, { recursive: true });
  }
});
