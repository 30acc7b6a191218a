import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { privateDirectory } from "../../sidecar/private-directory.ts";

const parent = mkdtempSync(join(tmpdir(), "siskin-leftovers-"));
afterAll(() => rmSync(parent, { recursive: true }));

it("removes what sidecars of this machine left that are gone, and nothing else", () => {
  const { pid: gone } = spawnSync(process.execPath, ["--version"]);
  const made = (name: string): string => {
    mkdirSync(join(parent, name, "store-1"), { recursive: true });
    return join(parent, name);
  };
  const left = made(`siskin-sidecar-${hostname()}-${gone}-AbCdEf`);
  const others = [
    made(`siskin-sidecar-${hostname()}-${process.ppid}-AbCdEf`),
    made(`siskin-sidecar-elsewhere-${gone}-AbCdEf`),
    made(`siskin-sidecar-${hostname()}-${gone}`),
    made("something-else"),
  ];
  const own = privateDirectory(parent);
  expect([existsSync(left), existsSync(own), ...others.map(existsSync)]).toEqual([false, true, true, true, true, true]);
});
