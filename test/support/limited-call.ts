/** Calls of functions that may never return, in a thread of their own that ends with the limit. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";

const ROOT = join(import.meta.dirname, "../..");

/** Runs in the thread: a function that makes another one is called twice. */
const CODE = `
const { parentPort, workerData } = require("node:worker_threads");
const { module, name, calls } = workerData;
import(module).then((all) => {
  let value = all[name];
  for (const values of calls) value = value(...values);
  return value;
}).then(
  (value) => parentPort.postMessage({ kind: "value", value: typeof value === "function" ? "function" : value }),
  (error) => parentPort.postMessage({ kind: "error", value: String(error?.message ?? error) }),
);
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
  | { readonly kind: "still running" };

/** The outcome of the call, or that it was still running at the time limit, when it is stopped. */
export async function limitedCall(call: LimitedCall, milliseconds = 20_000): Promise<LimitedOutcome> {
  const module = pathToFileURL(join(ROOT, call.module)).href;
  const worker = new Worker(CODE, { eval: true, workerData: { ...call, module } });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<LimitedOutcome>((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
      timer = setTimeout(() => resolve({ kind: "still running" }), milliseconds);
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
