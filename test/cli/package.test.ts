/** The command as it is installed: in the checkout by npx, and from a packed tarball with nothing beside it. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const MANIFEST = join(ROOT, "examples/tpch/manifest.json");
/** The Node of this test runs the command, whatever the machine's own is. */
const PATH = [dirname(process.execPath), process.env["PATH"]].join(delimiter);

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "siskin-package-"));
});
afterAll(() => rmSync(directory, { recursive: true }));

const run = (file: string, args: readonly string[], cwd = directory) =>
  spawnSync(process.execPath, [file, ...args], { cwd, encoding: "utf8", env: { PATH, HOME: directory } });

describe("in the checkout", () => {
  const bin = join(ROOT, "cli/bin/siskin.mjs");

  test("npx finds it after npm ci", () => {
    const link = join(ROOT, "node_modules/.bin/siskin");
    // A checkout that was installed before the workspace existed has no link.
    if (!existsSync(link)) return;
    expect(
      execFileSync("npx", ["--no-install", "siskin", "--version"], {
        cwd: ROOT,
        encoding: "utf8",
        env: { ...process.env, PATH },
      }),
    ).toBe("0.1.0\n");
  });

  test("results go to the standard output, and messages to the standard error", () => {
    writeFileSync(join(directory, "t.csv"), "a\n1\n");
    const right = run(bin, ["query", "--file", "t.csv", "--plain", "SELECT a FROM t"]);
    expect({ status: right.status, stdout: right.stdout, stderr: right.stderr }).toEqual({
      status: 0,
      stdout: "a\n1\n",
      stderr: "",
    });
    const wrong = run(bin, ["query", "--file", "t.csv", "SELECT b FROM t"]);
    expect(wrong).toMatchObject({ status: 1, stdout: "", stderr: expect.stringContaining("COLUMN_NOT_FOUND") });
    expect(run(bin, ["querry"])).toMatchObject({
      status: 2,
      stdout: "",
      stderr: expect.stringContaining("Did you mean query?"),
    });
    expect(run(bin, [])).toMatchObject({ status: 2, stdout: expect.stringContaining("Usage: siskin") });
  });

  test("a reader that ends early is no failure", () => {
    const text = execFileSync(
      "sh",
      [
        "-c",
        `"${process.execPath}" "${bin}" explain --manifest "${MANIFEST}" --source duckdb "SELECT * FROM orders" | head -1`,
      ],
      {
        encoding: "utf8",
        env: { PATH, HOME: directory },
      },
    );
    expect(text).toBe("{\n");
  });

  test.skipIf(!existsSync("/dev/full"))("a full disk is an error of the environment", () => {
    const outcome = spawnSync(
      "sh",
      [
        "-c",
        `"${process.execPath}" "${bin}" plan --manifest "${MANIFEST}" --source duckdb "SELECT id FROM orders" > /dev/full`,
      ],
      {
        encoding: "utf8",
        env: { PATH, HOME: directory },
      },
    );
    expect(outcome.status).toBe(2);
    expect(outcome.stderr).toContain("The standard output cannot be written (ENOSPC).");
  });
});

describe("from a packed tarball", () => {
  let bin: string;
  beforeAll(() => {
    const env = { ...process.env, PATH };
    execFileSync("npm", ["pack", "--silent", "--pack-destination", directory], { cwd: join(ROOT, "cli"), env });
    const [tarball = ""] = readdirSync(directory).filter((name) => name.endsWith(".tgz"));
    const home = mkdtempSync(join(directory, "installed-"));
    writeFileSync(join(home, "package.json"), "{}");
    execFileSync("npm", ["install", "--offline", "--no-audit", "--no-fund", join(directory, tarball)], {
      cwd: home,
      env,
    });
    bin = join(home, "node_modules/.bin/siskin");
    expect(readdirSync(join(home, "node_modules/@siskin/cli")).sort()).toEqual(["bin", "dist", "package.json"]);
    expect(readdirSync(join(home, "node_modules")).filter((name) => !name.startsWith("."))).toEqual(["@siskin"]);
  });

  test("plans without any other package", () => {
    const planned = run(bin, ["plan", "--manifest", MANIFEST, "--source", "mysql", "SELECT id FROM orders"]);
    expect(planned).toMatchObject({ status: 0, stderr: "" });
    expect(planned.stdout).toBe("SELECT `orders`.`o_orderkey` AS `id` FROM `tpch/orders.parquet` AS `orders`\n");
  });

  test("names the package that files need", () => {
    writeFileSync(join(directory, "t.csv"), "a\n1\n");
    const asked = run(bin, ["query", "--file", "t.csv", "SELECT a FROM t"]);
    expect(asked).toMatchObject({
      status: 2,
      stdout: "",
      stderr: expect.stringContaining("npm install @duckdb/node-api"),
    });
  });
});
