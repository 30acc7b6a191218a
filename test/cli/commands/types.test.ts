import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { COMMANDS } from "../../../cli/main.ts";
import { siskin } from "../../support/terminal.ts";

test("types of rows and of cubes' members", async () => {
  const args = ["types", "--manifest", "examples/tpch/manifest.json", "--source", "local_file", "--name", "Shop"];
  const { code, out, err } = await siskin(args);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toContain(`export interface Shop {
  readonly models: {
    readonly customers: {
      readonly id: number;
      readonly name: string | null;
`);
  expect(out).toContain("      readonly total: string | null;\n      readonly is_large: boolean | null;\n");
  expect(out).not.toContain("nation_id");
  expect(out).toContain(`    /** Sales by status and date. */
    readonly sales: {
      readonly measures: "revenue";
      readonly dimensions: "status";
      readonly timeDimensions: "ordered_on";
    };
`);
});

test.each(["bash", "zsh"])("completion for %s has every command", async (shell) => {
  const { code, out } = await siskin(["completion", shell]);
  expect(code).toBe(0);
  for (const name of Object.keys(COMMANDS)) expect(out).toMatch(new RegExp(`\\b${name}\\) words=`));
});

test("bash completes commands and options", async () => {
  const { out } = await siskin(["completion", "bash"]);
  const complete = (words: readonly string[]) => {
    const script = `${out}\nCOMP_WORDS=(${words.map((word) => `"${word}"`).join(" ")}); COMP_CWORD=${words.length - 1}; _siskin; echo "\${COMPREPLY[*]}"`;
    return spawnSync("bash", ["-c", script], { encoding: "utf8" }).stdout.trim();
  };
  expect(complete(["siskin", "val"])).toBe("validate");
  expect(complete(["siskin", "query", "--fi"])).toBe("--file");
  expect(complete(["siskin", "diff", "--allow"])).toBe("--allow");
});

test.each([["completion"], ["completion", "fish"], ["types", "x"], ["types", "--name", "a b"]])(
  "%s %s is an error of usage",
  async (...args) => {
    expect(
      await siskin([...args, ...(args[0] === "types" ? ["--manifest", "examples/tpch/manifest.json"] : [])]),
    ).toMatchObject({ code: 2, out: "" });
  },
);
