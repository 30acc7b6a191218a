/** Parses a regular expression in RE2's syntax to a tree. */

export type Part =
  | { readonly kind: "character" | "edge"; readonly text: string }
  | { readonly kind: "sequence" | "choice"; readonly parts: readonly Part[] }
  | { readonly kind: "group"; readonly open: string; readonly body: Part }
  | {
      readonly kind: "repeat";
      readonly body: Part;
      readonly sign: string;
      readonly least: number;
      readonly most: number;
    };

export const ESCAPE = "\\\\(?:x\\{[0-9a-f]+\\}|x[0-9a-f]{2}|p\\{\\w+\\}|p\\w|[^])";
// Tokens are unambiguous within brackets, and unclosed brackets are a token too, so that the expression never backtracks.
const TOKENS = new RegExp(
  `\\[\\^?\\]?(?:\\[:\\w+:\\]|\\\\[^]|[^\\]\\\\])*(\\])?|\\((?:\\?:)?|[*+?]\\??|\\{(\\d+)(?:(,)(\\d*))?\\}\\??|${ESCAPE}|[^]`,
  "gu",
);

const MAX_DEPTH = 100;

/** `undefined` for a quantifier without operand, unclosed brackets, and groups that do not end or are nested too deeply. */
export function parsed(pattern: string): Part | undefined {
  const open: { readonly sign: string; branches: Part[][] }[] = [{ sign: "", branches: [[]] }];
  const top = () => open[open.length - 1] ?? { sign: "", branches: [[]] };
  for (const [token, close, least, comma = "", most = ""] of pattern.matchAll(TOKENS)) {
    const branch = top().branches[top().branches.length - 1] ?? [];
    const last = branch[branch.length - 1];
    const isUnpaired = (token.startsWith("[") && close === undefined) || (token === ")" && open.length === 1);
    if (open.length > MAX_DEPTH || isUnpaired) return undefined;
    if (token.startsWith("(")) open.push({ sign: token, branches: [[]] });
    else if (token === "|") top().branches.push([]);
    else if (token === ")") {
      const { sign, branches } = open.pop() ?? top();
      top().branches[top().branches.length - 1]?.push({ kind: "group", open: sign, body: choiceOf(branches) });
    } else if (/^[*+?]/.test(token) || least !== undefined) {
      if (last === undefined || last.kind === "repeat" || last.kind === "edge") return undefined;
      const from = least === undefined ? (token.startsWith("+") ? 1 : 0) : Number(least);
      const unlimited = least === undefined ? !token.startsWith("?") : comma === "," && most === "";
      const to = least === undefined ? 1 : comma === "" ? from : Number(most);
      branch[branch.length - 1] = {
        kind: "repeat",
        body: last,
        sign: token,
        least: from,
        most: unlimited ? Number.POSITIVE_INFINITY : to,
      };
    } else branch.push({ kind: /^(?:[\^$]|\\A)$/.test(token) ? "edge" : "character", text: token });
  }
  return open.length > 1 ? undefined : choiceOf(top().branches);
}

function choiceOf(branches: readonly (readonly Part[])[]): Part {
  const parts = branches.map((each): Part => ({ kind: "sequence", parts: each }));
  const [only] = parts;
  return only !== undefined && parts.length === 1 ? only : { kind: "choice", parts };
}

export function textOf(part: Part): string {
  switch (part.kind) {
    case "character":
    case "edge":
      return part.text;
    case "sequence":
    case "choice":
      return part.parts.map(textOf).join(part.kind === "choice" ? "|" : "");
    case "group":
      return `${part.open}${textOf(part.body)})`;
    case "repeat":
      return textOf(part.body) + part.sign;
    default:
      return part satisfies never;
  }
}

export function inside(part: Part): readonly Part[] {
  return "parts" in part ? part.parts : "body" in part ? [part.body] : [];
}

/** Whether it may match an empty text. */
export function isOpen(part: Part): boolean {
  if (part.kind === "repeat" && part.least === 0) return true;
  if (part.kind === "choice") return part.parts.some(isOpen);
  return part.kind !== "character" && inside(part).every(isOpen);
}

/** Whether every match begins or ends with the text, so that there is one at most where none is empty. */
export function matchesOnce(part: Part): boolean {
  return isAnchored(part, 0) || isAnchored(part, -1);
}

function isAnchored(part: Part, end: 0 | -1): boolean {
  if (part.kind === "edge") return (part.text === "$") === (end === -1);
  if (part.kind === "choice") return part.parts.every((each) => isAnchored(each, end));
  if (part.kind === "group") return isAnchored(part.body, end);
  const last = part.kind === "sequence" ? part.parts.at(end) : undefined;
  return last !== undefined && isAnchored(last, end);
}

export function groupsIn(part: Part): number {
  const own = part.kind === "group" && part.open === "(" ? 1 : 0;
  return inside(part).reduce((sum, each) => sum + groupsIn(each), own);
}

/** Whether a match may not include a group. */
export function mayMissGroups(part: Part): boolean {
  if (part.kind === "choice" || (part.kind === "repeat" && part.least === 0)) return groupsIn(part) > 0;
  return inside(part).some(mayMissGroups);
}

/** For each group: whether a match may not include it, and whether its text may be empty. */
export function groupsOf(part: Part, missable = false): readonly { missable: boolean; open: boolean }[] {
  const own = part.kind === "group" && part.open === "(" ? [{ missable, open: isOpen(part.body) }] : [];
  const below = missable || part.kind === "choice" || (part.kind === "repeat" && part.least === 0);
  return [...own, ...inside(part).flatMap((each) => groupsOf(each, below))];
}

export function longestFirst(part: Part): Part {
  if ("body" in part) return { ...part, body: longestFirst(part.body) };
  if (!("parts" in part)) return part;
  const parts = part.parts.map(longestFirst);
  // Groups are numbered in the order of the pattern.
  if (part.kind === "sequence" || groupsIn(part) > 0) return { ...part, parts };
  return { ...part, parts: parts.toSorted((a, b) => textOf(b).length - textOf(a).length) };
}

export type Preference = "longest" | "shortest";

/**
 * PostgreSQL uses the preference of the first part that has one. Alternatives are always greedy; a fixed count has the preference
 * of its operand.
 */
export function preferenceOf(part: Part): Preference | undefined {
  if (part.kind === "choice") return "longest";
  if (part.kind === "repeat" && !/^\{\d+\}/.test(part.sign)) return /.\?$/.test(part.sign) ? "shortest" : "longest";
  for (const each of inside(part)) {
    const preferred = preferenceOf(each);
    if (preferred !== undefined) return preferred;
  }
  return undefined;
}
