/** JSON access by PostgreSQL's operators as JSON paths. */
import type { Expression } from "../syntax/tree.ts";

/** The steps of `#>`'s text array: `'{a,0,"b c"}'` or `ARRAY['a', '0']`; `undefined` when not literal. */
export function pathSteps(path: Expression): readonly string[] | undefined {
  if (path.kind === "array") {
    const steps = path.elements.map((element) =>
      element.kind === "string" || element.kind === "number" ? literalText(element) : undefined,
    );
    return steps.every((step) => step !== undefined) ? steps : undefined;
  }
  if (path.kind !== "string") return undefined;
  const match = /^\s*\{(.*)\}\s*$/s.exec(path.value);
  if (match === null) return undefined;
  const inner = match[1] ?? "";
  if (inner.trim() === "") return [];
  const steps: string[] = [];
  const step = /\s*(?:"((?:[^"\\]|\\.)*)"|([^,"{}]*))\s*(,|$)/gsy;
  while (step.lastIndex < inner.length) {
    const found = step.exec(inner);
    if (found === null) return undefined;
    steps.push(found[1] === undefined ? (found[2] ?? "").trim() : found[1].replace(/\\(.)/gs, "$1"));
    if (found[3] === "") break;
  }
  return steps;
}

function literalText(expression: Expression & { kind: "string" | "number" }): string {
  return expression.kind === "string" ? expression.value : expression.text;
}

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
