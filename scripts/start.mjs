// The door of `npm start`: plain JavaScript that any Node can read, so that an old one gets a sentence, not a stack.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 12)) {
  console.error(`Siskin needs Node 22.12 or newer; this is ${process.versions.node}.`);
  process.exit(1);
}

const child = spawn(
  process.execPath,
  [
    "--experimental-strip-types",
    "--disable-warning=ExperimentalWarning",
    fileURLToPath(new URL("serve.ts", import.meta.url)),
  ],
  { stdio: "inherit" },
);
// The terminal sends Ctrl-C to both; this process only waits for the other to finish its own end.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => process.exit(code ?? (signal === null ? 0 : 1)));
