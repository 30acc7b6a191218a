// The door of `npm start`: plain JavaScript that any Node can read, so that an old one gets a sentence, not a stack.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

function refuse(sentence) {
  console.error(sentence);
  process.exit(1);
}

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 12)) {
  refuse(`Siskin needs Node 22.12 or newer; this is ${process.versions.node}.`);
}

// The two that carry everything: workerd, and DuckDB of the sidecar's workspace.
for (const [from, name] of [
  ["../package.json", "wrangler"],
  ["../sidecar/package.json", "@duckdb/node-api"],
]) {
  try {
    createRequire(new URL(from, import.meta.url)).resolve(name);
  } catch {
    refuse(`The package ${name} is not installed. Run this first: npm ci`);
  }
}

const child = spawn(
  process.execPath,
  [
    "--experimental-strip-types",
    "--disable-warning=ExperimentalWarning",
    fileURLToPath(new URL("serve.ts", import.meta.url)),
  ],
  // Over the fourth the other process notices that this one is gone, however it ended.
  { stdio: ["inherit", "inherit", "inherit", "ipc"] },
);
// The terminal sends Ctrl-C to both, a process manager only here; the other process takes the second one as the first.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code) => process.exit(code ?? 1));
