/** The path steps of PostgreSQL's JSON operators. */
import type { Expression } from "../../syntax/tree.ts";

/** The steps of `#>`'s text array: `'{a,0,"b c"}'` or `ARRAY['a', '0']`; `undefined` if it is not literal. */
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
  const step = /(?:\s*"((?:[^"\\]|\\.)*)"\s*|([^,"{}]*))(,|$)/gsy;
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
