/** The process that judges mutants: writes the seed and the place that it is at into a file, and sends its report. */
import { openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { openBoth } from "../../connectors/duckdb-wasm/both-engines.ts";
import { judge } from "./judge.ts";
import { prepareBases } from "./mutants.ts";
import { addVerdict, emptyReport, PLACES } from "./report.ts";

const [first = 0, count = 0] = process.argv.slice(2, 4).map(Number);
const file = openSync(process.argv[4] ?? "", "w");
const current = new Int32Array(2);

const both = await openBoth({});
const mutantOf = await prepareBases(both.ground.root);
const report = emptyReport();
for (let seed = first; seed < first + count; seed++) {
  const mutant = mutantOf(seed);
  writeFileSync(join(both.ground.root, mutant.path), mutant.bytes);
  const { verdict, problem } = await judge(both, mutant, (place) => {
    current.set([seed, PLACES.indexOf(place)]);
    writeSync(file, current, 0, 8, 0);
  });
  addVerdict(report, mutant.origin, verdict ?? "finding");
  if (problem !== undefined) report.findings.push({ seed, problem: `${mutant.origin}: ${problem}` });
  // Reports each verdict at once, so that it survives a crash.
  process.send?.(report);
}
await both.close();
process.disconnect();
