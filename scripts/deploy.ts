/**
 * `npm run deploy`: judges a configuration whole, then hands the Workers to `wrangler deploy`, the API last, since it is bound
 * to the others: the connectors, the MCP Worker, and the files Worker where it has them. With `--dry-run` nothing is uploaded,
 * and nothing is asked of the network. `--env NAME` and `--config FILE` are wrangler's; `--secrets-file FILE` has the
 * secrets, `NAME=value` a line; `--dialects postgres,duckdb` leaves all others out of the Worker.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, parseEnv } from "node:util";
import { unstable_readConfig } from "wrangler";
import { connectorsOf, deploymentNotes, deploymentProblems, filesWorkerOf, mcpWorkerOf } from "./service/deployment.ts";
import { buildingWith, DIALECTS, readDialects } from "./service/dialects.ts";
import { writeEngineParts } from "./service/engine-parts.ts";
import { freshExplorer } from "./service/explorer-bundle.ts";
import { FILES_WORKER, WORKERS, type WorkerName } from "./service/worker-bundle.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));

/** Ends with a sentence in place of a stack trace. */
function refuse(sentence: string): never {
  console.error(`✗ ${sentence}`);
  process.exit(1);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function readArguments() {
  try {
    return parseArgs({
      options: {
        "dry-run": { type: "boolean", default: false },
        env: { type: "string" },
        config: { type: "string", default: join(ROOT, "wrangler.toml") },
        "secrets-file": { type: "string" },
        dialects: { type: "string", default: DIALECTS.join(",") },
      },
    });
  } catch (error) {
    return refuse(`${messageOf(error)} Options: --dry-run, --env, --config, --secrets-file, --dialects`);
  }
}

const { values } = readArguments();

const WRANGLER = join(dirname(createRequire(import.meta.url).resolve("wrangler/package.json")), "bin/wrangler.js");
const DEPLOYED = join(ROOT, "dist/deploy");

type Configuration = ReturnType<typeof unstable_readConfig>;

/** wrangler's reading of a configuration, whose failures are sentences. */
function read(file: string, env: string | undefined): Configuration {
  if (!existsSync(file)) return refuse(`There is no file ${file} (--config).`);
  try {
    return unstable_readConfig({ config: file, ...(env !== undefined && { env }) }, { hideWarnings: true });
  } catch (error) {
    return refuse(messageOf(error));
  }
}

function secretsIn(file: string): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync(file, "utf8"));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return refuse(`The file of secrets ${file} cannot be read (${code ?? "it is no text of NAME=value lines"}).`);
  }
}

/** The API's configuration, when it is right. */
function judged(): Configuration | undefined {
  const { env, config: file, "secrets-file": secretsFile } = values;
  const config = read(file, env);
  if (env !== undefined && !config.definedEnvironments?.includes(env)) {
    const defined = config.definedEnvironments ?? [];
    const known = defined.length === 0 ? "It has none." : `It has ${defined.join(", ")}.`;
    return refuse(`There is no environment ${env} in ${file}. ${known}`);
  }
  const given = secretsFile === undefined ? {} : secretsIn(secretsFile);
  const secrets = Object.fromEntries(Object.entries(given).flatMap(([name, value]) => (value ? [[name, value]] : [])));
  const problems = deploymentProblems(config, secrets);
  for (const problem of problems) console.error(`✗ ${problem}`);
  if (problems.length > 0) {
    console.error(
      "Nothing was uploaded. All settings: docs/reference/configuration.md; deployments: docs/guide/deploy.md",
    );
    return undefined;
  }
  for (const note of deploymentNotes(config, secrets)) console.log(`· ${note}`);
  return config;
}

/**
 * Binding of the API to the connectors' Worker: its file under the bound name, with the API's Hyperdrives, since only the Worker
 * that has one can dial it.
 */
const configurationOfConnectors = (api: Configuration): string =>
  configurationOf("connectors", WORKERS.connectors.configuration, api, {
    name: connectorsOf(api),
    hyperdrive: api.hyperdrive,
  });

/** A Worker's configuration with the members that the API's configuration sets, in a file for wrangler. */
function configurationOf(worker: string, configuration: string, api: Configuration, more: object): string {
  const own = unstable_readConfig({ config: join(ROOT, configuration) }, { hideWarnings: true });
  const { main, compatibility_date, compatibility_flags, minify, keep_names } = own;
  const { alias = {}, workers_dev, preview_urls, observability } = own;
  const derived = {
    ...(api.account_id !== undefined && { account_id: api.account_id }),
    main,
    compatibility_date,
    compatibility_flags,
    minify,
    keep_names,
    workers_dev,
    preview_urls,
    observability,
    alias: Object.fromEntries(
      Object.entries(alias).map(([name, file]) => [name, join(ROOT, dirname(configuration), String(file))]),
    ),
    ...more,
  };
  mkdirSync(DEPLOYED, { recursive: true });
  const file = join(DEPLOYED, `${worker}.json`);
  writeFileSync(file, JSON.stringify(derived, undefined, 2));
  return file;
}

/** Runs `wrangler deploy`; its exit code. */
function deploy(
  name: WorkerName | "files",
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): number {
  // The output of a dry run goes to a temporary directory.
  const dry = values["dry-run"] ? ["--dry-run", "--outdir", join(DEPLOYED, name)] : [];
  const { status } = spawnSync(process.execPath, [WRANGLER, "deploy", ...words, ...dry], {
    cwd: ROOT,
    stdio: "inherit",
    env: { ...process.env, WRANGLER_SEND_METRICS: "false", ...environment },
  });
  return status ?? 1;
}

async function run(): Promise<number> {
  const dialects = readDialects(values.dialects);
  if (typeof dialects === "string") {
    console.error(`✗ ${dialects}`);
    return 1;
  }
  const api = judged();
  if (api === undefined) return 1;
  const failed = deploy("connectors", ["--config", configurationOfConnectors(api)]);
  if (failed !== 0) return failed;
  const mcp = mcpWorkerOf(api);
  if (mcp !== undefined) {
    const missed = deploy("mcp", ["--config", configurationOf("mcp", WORKERS.mcp.configuration, api, { name: mcp })]);
    if (missed !== 0) return missed;
  }
  const files = filesWorkerOf(api);
  if (files !== undefined) {
    await writeEngineParts();
    const missed = deploy("files", [
      "--config",
      configurationOf("files", FILES_WORKER.configuration, api, { name: files }),
    ]);
    if (missed !== 0) return missed;
  }
  await freshExplorer();
  return deploy(
    "api",
    (["env", "config", "secrets-file"] as const).flatMap((name) => {
      const value = values[name];
      return value === undefined ? [] : [`--${name}`, value];
    }),
    buildingWith(dialects),
  );
}

process.exit(await run());
