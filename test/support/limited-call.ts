/** Calls of functions that may never return or may end their process, in a process of their own that ends with the limit. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const ROOT = join(import.meta.dirname, "../..");

/** Runs in the process, where a function that makes another one is called twice. */
const CODE = `
process.once("message", ({ module, name, calls }) => {
  import(module).then((all) => {
    let value = all[name];
    if (typeof value !== "function") throw new Error(module + " exports no function " + name);
    try {
      for (const values of calls) value = value(...values);
      return { kind: "value", value: typeof value === "function" ? "function" : value };
    } catch (error) {
      return { kind: "error", value: String(error?.message ?? error) };
    }
  }).then((outcome) => process.send(outcome, () => process.disconnect()));
});
`;

export interface LimitedCall {
  /** From the root of the repository. */
  readonly module: string;
  readonly name: string;
  /** Arguments; more than one list where a function returns the function that is called next. */
  readonly calls: readonly (readonly unknown[])[];
}

export type LimitedOutcome =
  | { readonly kind: "value" | "error"; readonly value: unknown }
  | { readonly kind: "still running" }
  | { readonly kind: "crashed"; readonly value: string };

/** The outcome of the call, or that it was still running at the time limit, when it is stopped. */
export async function limitedCall(call: LimitedCall, milliseconds = 20_000): Promise<LimitedOutcome> {
  const module = pathToFileURL(join(ROOT, call.module)).href;
  // A thread would do, but V8 ends the whole process of vitest when a thread fails in its own code.
  const child = spawn(process.execPath, ["--no-warnings", "-e", CODE], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    serialization: "advanced",
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<LimitedOutcome>((resolve, reject) => {
      child.once("message", (outcome) => resolve(outcome as LimitedOutcome));
      child.once("error", reject);
      // The channel ends after its last message, the process perhaps before.
      Promise.all([once(child, "exit"), once(child, "disconnect")]).then(
        ([[code, signal]]) => resolve({ kind: "crashed", value: String(signal ?? `exit code ${code}`) }),
        reject,
      );
      child.send({ ...call, module });
      timer = setTimeout(() => resolve({ kind: "still running" }), milliseconds);
    });
  } finally {
    clearTimeout(timer);
    child.kill("SIGKILL");
  }
}
