/** The process of one benchmark: runs it, hands its section to the parent process, ends everything it started. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Material } from "./subject.ts";
import { SUBJECTS } from "./subjects.ts";

const directory = mkdtempSync(join(tmpdir(), "siskin-bench-"));
const ends: (() => unknown)[] = [() => rmSync(directory, { recursive: true, force: true })];
let ending: Promise<void> | undefined;

function endAll(): Promise<void> {
  ending ??= (async () => {
    for (const end of ends.toReversed()) {
      try {
        await end();
      } catch (error) {
        console.error(error);
      }
    }
  })();
  return ending;
}

async function leave(): Promise<void> {
  await endAll();
  process.exit(1);
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void leave());
// The parent process is gone, however it ended.
process.on("disconnect", () => void leave());

const [, , name = "", material = "null"] = process.argv;
try {
  const subject = await SUBJECTS[name]?.();
  if (subject === undefined) throw new Error(`There is no benchmark "${name}".`);
  const section = await subject({
    ...(JSON.parse(material) as Material),
    directory,
    onEnd: (end) => void ends.push(end),
  });
  await endAll();
  await new Promise<void>((resolve) => process.send?.(section, undefined, undefined, () => resolve()));
  process.exit(0);
} catch (error) {
  console.error(error);
  await leave();
}
