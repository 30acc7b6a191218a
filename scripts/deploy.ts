/**
 * `npm run deploy`: judges a configuration whole, then hands it to `wrangler deploy`. With `--dry-run` nothing is uploaded,
 * and nothing is asked of the network. `--env NAME` and `--config FILE` are wrangler's; `--secrets-file FILE` has the
 * secrets, `NAME=value` a line.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, parseEnv } from "node:util";
import { unstable_readConfig } from "wrangler";
import { deploymentNotes, deploymentProblems } from "./service/deployment.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));

const { values } = parseArgs({
  options: {
    "dry-run": { type: "boolean", default: false },
    env: { type: "string" },
    config: { type: "string", default: join(ROOT, "wrangler.toml") },
    "secrets-file": { type: "string" },
  },
});

function judged(): boolean {
  const { env, config: file, "secrets-file": secretsFile } = values;
  const config = unstable_readConfig({ config: file, ...(env !== undefined && { env }) }, { hideWarnings: true });
  if (env !== undefined && !config.definedEnvironments?.includes(env)) {
    console.error(`There is no environment ${env} in ${file}.`);
    return false;
  }
  const given = secretsFile === undefined ? {} : parseEnv(readFileSync(secretsFile, "utf8"));
  const secrets = Object.fromEntries(Object.entries(given).flatMap(([name, value]) => (value ? [[name, value]] : [])));
  const problems = deploymentProblems(config, secrets);
  for (const problem of problems) console.error(`✗ ${problem}`);
  if (problems.length > 0) {
    console.error("Nothing was uploaded. All settings: docs/configuration.md; deployments: docs/deploy.md");
    return false;
  }
  for (const note of deploymentNotes(config, secrets)) console.log(`· ${note}`);
  return true;
}

function deploy(): number {
  const wrangler = join(dirname(createRequire(import.meta.url).resolve("wrangler/package.json")), "bin/wrangler.js");
  const words = [
    ...["env", "config", "secrets-file"].flatMap((name) => {
      const value = values[name as "env" | "config" | "secrets-file"];
      return value === undefined ? [] : [`--${name}`, value];
    }),
    // A build that nobody looks at goes where nobody looks.
    ...(values["dry-run"] ? ["--dry-run", "--outdir", join(ROOT, "dist/deploy")] : []),
  ];
  const { status } = spawnSync(process.execPath, [wrangler, "deploy", ...words], {
    cwd: ROOT,
    stdio: "inherit",
    env: { ...process.env, WRANGLER_SEND_METRICS: "false" },
  });
  return status ?? 1;
}

process.exit(judged() ? deploy() : 1);
