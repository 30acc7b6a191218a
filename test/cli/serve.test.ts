/** `siskin serve`: the service over one model, which is published again when a file changes. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test, vi } from "vitest";
import { eventually } from "../support/eventually.ts";
import { siskin } from "../support/terminal.ts";

test("a model is served, and published again", async () => {
  const directory = mkdtempSync(join(tmpdir(), "siskin-serve-test-"));
  writeFileSync(join(directory, "t.csv"), "a,b\n1,x\n2,y\n");
  await siskin(["query", "--file", "t.csv", "--save", "shop", "SELECT a FROM t"], { directory });
  const bin = join(import.meta.dirname, "../../cli/bin/siskin.mjs");
  const { LANG } = process.env;
  const env = { PATH: `${dirname(process.execPath)}:${process.env["PATH"]}`, HOME: directory, LANG, PORT: "0" };
  const child = spawn(process.execPath, [bin, "serve", "--project", "shop"], {
    cwd: directory,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  child.stdout.on("data", (part: Buffer) => {
    text += part.toString();
  });
  child.stderr.on("data", (part: Buffer) => {
    text += part.toString();
  });
  const exited = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  try {
    // The Workers are bundled first, which takes long on a busy machine.
    await vi.waitFor(() => expect(text).toContain('"event":"serving"'), { timeout: 150_000, interval: 50 });
    const [, url = ""] = /"url":"([^"]+)"/.exec(text) ?? [];
    const response = await fetch(`${url}/v3/projects/shop/query`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ sql: "SELECT a, b FROM t ORDER BY a" }),
    });
    expect(await response.json()).toMatchObject({
      data: [
        [1, "x"],
        [2, "y"],
      ],
    });
    writeFileSync(join(directory, "shop/models/t/metadata.yml"), "name: [\n");
    await eventually(() => expect(text).toContain("The last model stays in force."));
    writeFileSync(
      join(directory, "shop/models/t/metadata.yml"),
      "name: t\ntable_reference: {table: t.csv}\ncolumns: [{name: a, type: INT64}]\n",
    );
    await eventually(() => expect(text).toContain("The model is published again"));
  } finally {
    child.kill("SIGTERM");
    expect(await exited).toBe(0);
    rmSync(directory, { recursive: true });
  }
}, 240_000);
