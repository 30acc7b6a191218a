/**
 * README and every guide, followed in a fresh clone of the working tree: each shell block runs in order, and prints what is shown
 * below it. Only `npm ci` is replaced, by hard links to the packages of this tree, so that no network is needed.
 */
import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Block, blocksOf, settled } from "../support/documents.ts";
import { type RunningService, startOf, startService } from "../support/service.ts";

const ROOT = join(import.meta.dirname, "../..");
const PAGES = ["README.md", ...globSync("docs/guide/*.md", { cwd: ROOT }).sort()];
const DEFAULT_URL = "http://127.0.0.1:8787";
const START = /^(?:npm ci && )?(?:FILE_ROOT=(\S+) )?npm start$/;

const OWN_POSTGRES = "needs the PostgreSQL of an earlier step; test/readme.test.ts runs it on one";
const ACCOUNT = "uploads to an account of Cloudflare; test/scripts/deployment.test.ts runs what needs no account";
/** Blocks that a bare machine cannot run: the page, the beginning of the block, and the reason. */
const NOT_RUN: readonly (readonly [page: string, start: string, reason: string])[] = [
  ["README.md", `curl -s ${DEFAULT_URL}/v3/connector/postgres/query`, OWN_POSTGRES],
  [
    "README.md",
    `curl -s ${DEFAULT_URL}/v3/connector/minio_file/query`,
    "needs MinIO; test/readme.test.ts runs it on a fake of the store",
  ],
  ["README.md", "npm ci && npm test", "is the suite itself"],
  ["docs/guide/deploy.md", "printf 'SIDECAR_SECRET", ACCOUNT],
  ["docs/guide/deploy.md", "npm run deploy -- --env production --secrets-file .secrets.production --dialects", ACCOUNT],
  ["docs/guide/deploy.md", "SIDECAR_SECRET=… ALLOWED_HOSTS=.internal", "needs cloudflared and a domain"],
  ["docs/guide/deploy.md", "AUTH=keys API_KEYS=", "serves until it is ended; test/e2e/serve.test.ts starts it"],
  ["docs/guide/deploy.md", 'SIDECAR_SECRET="$(openssl rand -hex 32)" AUTH=none', "needs Docker"],
];

const blocks = new Map(PAGES.map((page) => [page, blocksOf(readFileSync(join(ROOT, page), "utf8"))]));
const reasonFor = (page: string, { text }: Block): string | undefined =>
  NOT_RUN.find(([of, start]) => of === page && text.startsWith(start))?.[2];

test.each(NOT_RUN)("%s still has the block that is not run: %s", (page, start) => {
  const found = blocks.get(page)?.filter(({ language, text }) => language === "sh" && text.startsWith(start));
  expect(found).toHaveLength(1);
});

/** Tracked files as they are in the working tree, as `git clone` would bring them after a commit. */
function cloneTo(directory: string): void {
  execFileSync("git", ["clone", "--quiet", "--local", ROOT, directory]);
  const changed = execFileSync("git", ["ls-files", "-z", "--modified", "--others", "--exclude-standard"], {
    cwd: ROOT,
  });
  for (const file of changed.toString().split("\0").filter(Boolean)) {
    if (existsSync(join(ROOT, file))) cpSync(join(ROOT, file), join(directory, file));
    else rmSync(join(directory, file), { force: true });
  }
  for (const folder of ["", "sidecar/", "cli/"]) {
    const packages = `${folder}node_modules`;
    if (!existsSync(join(ROOT, packages))) continue;
    const linked = spawnSync("cp", ["-al", join(ROOT, packages), join(directory, packages)]);
    if (linked.status === 0) continue;
    rmSync(join(directory, packages), { recursive: true, force: true });
    symlinkSync(join(ROOT, packages), join(directory, packages));
  }
  linkCommand(join(directory, "node_modules"));
}

/** The command `siskin`, as `npm ci` links it for the workspace `cli`. */
function linkCommand(packages: string): void {
  mkdirSync(join(packages, "@siskin"), { recursive: true });
  const links = [
    ["@siskin/cli", "../../cli"],
    [".bin/siskin", "../@siskin/cli/bin/siskin.mjs"],
  ] as const;
  for (const [name, target] of links) {
    const path = join(packages, name);
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) symlinkSync(target, path);
  }
}

const hasTools = spawnSync("sh", ["-c", "command -v git && command -v curl && command -v base64"]).status === 0;

describe.runIf(hasTools)("in a fresh clone", () => {
  const parent = mkdtempSync(join(tmpdir(), "siskin-clone-"));
  const clone = join(parent, "siskin");
  beforeAll(() => cloneTo(clone));
  afterAll(() => rmSync(parent, { recursive: true, force: true }));

  test.each(PAGES)("%s", async (page) => {
    const { HOME: _home, ...environment } = process.env;
    const path = [join(clone, "node_modules/.bin"), dirname(process.execPath), process.env["PATH"]].join(delimiter);
    const env = { ...environment, HOME: parent, PATH: path };
    let service: RunningService | undefined;
    /** Functions that a block defines hold for those behind it, as in one terminal. */
    const defined: string[] = [];
    try {
      for (const [index, block] of (blocks.get(page) ?? []).entries()) {
        if (block.language !== "sh" || reasonFor(page, block) !== undefined) continue;
        const started = START.exec(block.text);
        if (started !== null) {
          const [, root] = started;
          service = await startService(root === undefined ? {} : { FILE_ROOT: join(clone, root) }, startOf(clone));
          continue;
        }
        const command = block.text.replaceAll(DEFAULT_URL, service?.url ?? DEFAULT_URL);
        const script = [...defined, command].join("\n");
        const { status, stdout, stderr } = spawnSync("bash", ["-e", "-c", script], {
          cwd: clone,
          encoding: "utf8",
          env,
        });
        expect({ command, status, stderr: status === 0 ? "" : stderr }).toEqual({ command, status: 0, stderr: "" });
        const definition = /^\w+\(\) \{[\s\S]*?^\}$/m.exec(command)?.[0];
        if (definition !== undefined) defined.push(definition);
        const next = blocks.get(page)?.[index + 1];
        const shown = next?.language === "text" && !next.text.startsWith("shop/siskin.yml") ? next.text : undefined;
        if (next?.language === "json") expect(settled(JSON.parse(stdout))).toEqual(JSON.parse(next.text));
        else if (shown !== undefined) expect((stdout === "" ? stderr : stdout).trim()).toBe(shown);
      }
    } finally {
      await service?.stop();
    }
  });
});
