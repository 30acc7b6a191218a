/** The commands of every guide, run in their order in an empty directory against a started service, with the answers shown. */
import { spawnSync } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { blocksOf, settled } from "../support/documents.ts";
import { type RunningService, startService } from "../support/service.ts";

const DOCS = join(import.meta.dirname, "../../docs");
const OWN_FILES = "FILE_ROOT=my-shop npm start";
const hasCurl = spawnSync("sh", ["-c", "command -v curl && command -v base64"]).status === 0;

/** Guides that ask a service started on this machine. */
const GUIDES = globSync(join(DOCS, "guide/*.md")).filter((page) =>
  /^```sh\n.*npm start\n```$/m.test(readFileSync(page, "utf8")),
);

describe.runIf(hasCurl).each(GUIDES)("%s", (page) => {
  const text = readFileSync(page, "utf8");
  /** Guides without files of their own use the bundled ones. */
  const hasFiles = text.includes(OWN_FILES);
  const START = hasFiles ? OWN_FILES : "npm start";
  const directory = mkdtempSync(join(tmpdir(), "siskin-guide-"));
  mkdirSync(join(directory, "my-shop"));
  let service: RunningService;
  beforeAll(async () => {
    service = await startService(hasFiles ? { FILE_ROOT: join(directory, "my-shop") } : {});
  });
  afterAll(async () => {
    await service.stop();
    rmSync(directory, { recursive: true });
  });

  const blocks = blocksOf(text);
  /** Functions that a block defines hold for those behind it, as in one terminal. */
  const defined: string[] = [];

  test("starts the service as it is started here", () => {
    expect(blocks.map(({ text }) => text)).toContain(START);
  });

  test.each(
    blocks.flatMap((block, index) =>
      block.language === "sh" && block.text !== START
        ? [[block.text.split("\n")[0]!, block.text, blocks[index + 1]] as const]
        : [],
    ),
  )("%s", (_title, text, next) => {
    const command = text.replaceAll("http://127.0.0.1:8787", service.url);
    const { status, stdout } = spawnSync("sh", ["-c", [...defined, command].join("\n")], {
      cwd: directory,
      encoding: "utf8",
    });
    expect(status).toBe(0);
    const definition = /^\w+\(\) \{[\s\S]*?^\}$/m.exec(command)?.[0];
    if (definition !== undefined) defined.push(definition);
    if (next?.language === "json") expect(settled(JSON.parse(stdout))).toEqual(JSON.parse(next.text));
    else expect(stdout).toBe("");
  });
});
