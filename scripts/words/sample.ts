/**
 * `npm run words:sample -- [seed] [count]` prints comments that are drawn by a seed, each with its
 * file and line, for a reader who judges them (docs/comments.md).
 */
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { wordsOf } from "./literals.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PLACES = ["src", "sidecar", "supervisor", "scripts", "bench", "test"];
const [seed = 1, count = 200] = process.argv.slice(2).map(Number);

/** Numbers from 0 to 1, the same for the same seed (Mulberry32). */
function randomNumbers(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const files = PLACES.flatMap((place) => globSync(`${place}/**/*.ts`, { cwd: ROOT }))
  .filter((file) => !file.includes("node_modules"))
  .sort();
const all = files.flatMap((file) =>
  wordsOf(readFileSync(`${ROOT}${file}`, "utf8")).comments.map(({ line, text }) => ({ file, line, text })),
);
const random = randomNumbers(seed);
const drawn = new Set<number>();
while (drawn.size < Math.min(count, all.length)) drawn.add(Math.floor(random() * all.length));
for (const index of [...drawn].sort((a, b) => a - b)) {
  const { file, line, text } = all[index] ?? { file: "", line: 0, text: "" };
  console.log(`${file}:${line}\t${text.replaceAll(/\s+/g, " ")}`);
}
