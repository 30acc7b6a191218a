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
  {
    // Over the fourth the other process notices that this one is gone, however it ended.
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    // A group of its own, so that Ctrl-C arrives there once, through here, and workerd is not killed under its feet.
    detached: true,
  },
);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code) => {
  try {
    // What is left of the group: workerd, if the other process was killed and could not end it.
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // Nothing is left.
  }
  process.exit(code ?? 1);
});
