/** fakesnow's server: the protocol of sessions, as Snowflake's own connectors speak it, over DuckDB. No Snowflake. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const PYTHON = fileURLToPath(new URL("../../../.siskin/fakesnow/bin/python", import.meta.url));
const SCRIPT = fileURLToPath(new URL("server.py", import.meta.url));
const PATIENCE_MS = 30_000;

export interface FakesnowServer {
  readonly url: string;
  close(): Promise<void>;
}

/** `tables`: files of Parquet by the names of their tables. */
export async function startFakesnow(tables: Readonly<Record<string, string>>): Promise<FakesnowServer> {
  // It ends with its input, so also with whoever started it.
  const child = spawn(PYTHON, [SCRIPT, JSON.stringify(tables)], { stdio: ["pipe", "pipe", "ignore"] });
  const timer = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
  const { value: url } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
  clearTimeout(timer);
  if (url === undefined) throw new Error("fakesnow's server did not start");
  return {
    url,
    close: async () => {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
}
