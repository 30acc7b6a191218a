/** The first request of a new isolate, in a workerd that runs. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Run } from "../subject.ts";
import { type Call, timeOfOne } from "./http-client.ts";
import { startWorkerd } from "./workerd.ts";

export const STARTS = 21;

/** Gives every request a new isolate that runs the text in CODE. */
const LOADER = `let count = 0;
export default {
  fetch(request, { LOADER, CODE, FLAGS, DATE }) {
    const code = () => ({ compatibilityDate: DATE, compatibilityFlags: FLAGS.split(","), mainModule: "main.js",
      modules: { "main.js": CODE }, env: { AUTH: "none" } });
    return LOADER.get(String(count++), code).getEntrypoint().fetch(request);
  },
};`;

/** A new isolate or process, and its first request. */
export interface Candidate {
  readonly title: string;
  readonly file: string;
  readonly path: string;
}

export type Candidates = Readonly<Record<string, Candidate>>;
/** Milliseconds by the name of a candidate. */
export type Samples = Readonly<Record<string, number[]>>;

export function noSamples(candidates: Candidates): Samples {
  return Object.fromEntries(Object.keys(candidates).map((name) => [name, []]));
}

/** By turns, from outside: compiling, running the modules and the request, in milliseconds. */
export async function inNewIsolates(run: Run, call: Omit<Call, "url">, candidates: Candidates): Promise<Samples> {
  const loader = join(run.directory, "loader.js");
  writeFileSync(loader, LOADER);
  const variables = { DATE: run.bundle.compatibilityDate, FLAGS: run.bundle.compatibilityFlags.join(",") };
  const worker = await startWorkerd(
    run,
    Object.entries(candidates).map(([name, { file }]) => ({ name, file: loader, variables, loads: file })),
  );
  const samples = noSamples(candidates);
  for (let round = 0; round < STARTS; round++) {
    for (const [name, { path }] of Object.entries(candidates)) {
      samples[name]?.push(await timeOfOne({ ...call, url: `${worker.urls[name]}${path}` }));
    }
  }
  await worker.stop();
  return samples;
}
