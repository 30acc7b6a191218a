// The door of `npm start` and `npm run serve`: plain JavaScript that any Node can read, so that an old one gets a sentence, not a stack.
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
    // wrangler's own, on Node 22.
    "--disable-warning=DEP0040",
    fileURLToPath(new URL("serve.ts", import.meta.url)),
    ...process.argv.slice(2),
  ],
  {
    // The fourth breaks when this process ends, however it ends: the other one's sign to end everything in order.
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    // A group of its own: Ctrl-C is for this process alone. workerd there would stop at once.
    detached: true,
  },
);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => {
    if (child.connected) child.disconnect();
  });
}
child.on("exit", (code) => {
  try {
    // Ends the rest of the group: workerd, if the other process was killed and could not end it.
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // Nothing is left.
  }
  process.exit(code ?? 1);
});
