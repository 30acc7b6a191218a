/** Steps into a document as DuckDB's JSON paths, which count from the end with a `#`. */

/** `$."a"[0]`. A step of digits may be an index or a member, so it gives two paths; at most four in all. */
export function jsonPaths(steps: readonly string[]): readonly string[] {
  let paths = ["$"];
  for (const step of steps) {
    const member = `."${step.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
    const index = /^-?\d+$/.test(step) ? arrayStep(Number(step)) : undefined;
    paths = paths.flatMap((path) =>
      index === undefined || paths.length >= 4 ? [path + (index ?? member)] : [path + index, path + member],
    );
  }
  return paths;
}

/** `[0]`, or `[#-1]` from the end. */
export function arrayStep(index: number): string {
  return index < 0 ? `[#${index}]` : `[${index}]`;
}
