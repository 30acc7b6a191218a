/**
 * `npm run words:sample -- [seed] [count]` prints comments that are drawn by a seed, each with its
 * file and line, for a reader who judges them (docs/evidence/comments.md).
 */
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { wordsOf } from "../../scripts/words/literals.ts";
import { Random } from "../support/random-query.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PLACES = ["src", "sidecar", "supervisor", "scripts", "bench", "test"];
const [seed = 1, count = 200] = process.argv.slice(2).map(Number);

const files = PLACES.flatMap((place) => globSync(`${place}/**/*.ts`, { cwd: ROOT }))
  .filter((file) => !file.includes("node_modules"))
  .sort();
const all = files.flatMap((file) =>
  wordsOf(readFileSync(`${ROOT}${file}`, "utf8")).comments.map(({ line, text }) => ({ file, line, text })),
);
const random = new Random(seed);
const drawn = new Set<number>();
while (drawn.size < Math.min(count, all.length)) drawn.add(random.below(all.length));
for (const index of [...drawn].sort((a, b) => a - b)) {
  const { file, line, text } = all[index] ?? { file: "", line: 0, text: "" };
  console.log(`${file}:${line}\t${text.replaceAll(/\s+/g, " ")}`);
}
