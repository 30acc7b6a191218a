/** Time of `JSON.parse`: the unit for times of the planner, since both read the same text on the same machine. */
import { median } from "../notebook/figures.ts";

/** Median milliseconds of reading the JSON of a manifest in base64. */
export function jsonMilliseconds(base64: string, rounds: number): number {
  const text = Buffer.from(base64, "base64").toString();
  const samples = Array.from({ length: 2 * rounds }, () => {
    const started = performance.now();
    JSON.parse(text);
    return performance.now() - started;
  });
  // The first half runs unoptimised.
  return median(samples.slice(rounds));
}
