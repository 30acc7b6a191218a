/** The sidecar as `npm run sidecar` starts it, with its inspector open to us. */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Run } from "../subject.ts";
import { end } from "./end-process.ts";
import { ROOT } from "./worker-bundle.ts";

export interface RunningSidecar {
  readonly pid: number;
  readonly url: string;
  readonly secret: string;
  /** WebSocket address of its inspector. */
  readonly inspector: string;
}

/** Resolves when the sidecar listens. `settings` are additional environment variables. */
export async function startSidecar(run: Run, settings: Readonly<Record<string, string>>): Promise<RunningSidecar> {
  const secret = randomBytes(32).toString("hex");
  const child = spawn(
    process.execPath,
    [
      "--experimental-strip-types",
      "--disable-warning=ExperimentalWarning",
      "--inspect=127.0.0.1:0",
      join(ROOT, "sidecar/main.ts"),
    ],
    {
      env: { PATH: process.env["PATH"], HOST: "127.0.0.1", PORT: "0", SIDECAR_SECRET: secret, ...settings },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  run.onEnd(() => end(child));
  const exited = new Promise<never>((_, reject) => {
    child.once("error", reject);
    child.once("exit", () => reject(new Error("The sidecar ended.")));
  });
  exited.catch(() => undefined);
  const inspector = found(child.stderr, (line) => /^Debugger listening on (ws:\S+)/.exec(line)?.[1]);
  const port = found(child.stdout, (line) => /"event":"listening".*"port":(\d+)/.exec(line)?.[1]);
  const [address, listensOn] = await Promise.all([Promise.race([inspector, exited]), Promise.race([port, exited])]);
  return { pid: child.pid ?? 0, url: `http://127.0.0.1:${listensOn}`, secret, inspector: address };
}

/** The first line's match; reads on afterwards, so that the pipe does not fill up. */
function found(stream: NodeJS.ReadableStream, match: (line: string) => string | undefined): Promise<string> {
  return new Promise((resolve) => {
    createInterface({ input: stream }).on("line", (line) => {
      const value = match(line);
      if (value !== undefined) resolve(value);
    });
  });
}
