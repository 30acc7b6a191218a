/** Texts of SQL in one spelling: layout, comments, capitals, and the order of operands that may be swapped, make no difference. */
import { DEFAULT_LIMITS } from "../../src/planner/limits.ts";
import { parseExpression, parseQuery, parseTypeName } from "../../src/planner/syntax/parser.ts";
import type { Expression } from "../../src/planner/syntax/tree.ts";
import { conjuncts } from "../../src/planner/syntax/walk.ts";

/** How a member's text is read. */
export type TextKind = "expression" | "rule" | "query" | "native" | "type" | "plain";

const LIMITS = { limits: DEFAULT_LIMITS };

/** Equal for texts of one meaning as far as their form shows; different texts may still mean the same. */
export function canonicalText(text: string, kind: TextKind): string {
  try {
    switch (kind) {
      case "expression":
        return canonicalTree(parseExpression(text, LIMITS));
      case "rule":
        return canonicalTree(parseExpression(text, { ...LIMITS, sessionProperties: true }));
      case "query":
        return canonicalTree(parseQuery(text, LIMITS));
      case "type":
        return canonicalTree(parseTypeName(text, DEFAULT_LIMITS));
      case "native":
        return withoutLayout(text);
      case "plain":
        return text;
      default:
        return kind satisfies never;
    }
  } catch {
    // A text that is no SQL of the input language is compared by its words.
    return withoutLayout(text);
  }
}

/** Conditions that a row rule joins by AND, each in one spelling; undefined if the text cannot be read. */
export function conjunctsOf(text: string): ReadonlySet<string> | undefined {
  try {
    return new Set(conjuncts(parseExpression(text, { ...LIMITS, sessionProperties: true })).map(canonicalTree));
  } catch {
    return undefined;
  }
}

const canonicalTree = (tree: Expression | object): string => JSON.stringify(canonical(tree));

const SWAPPABLE: ReadonlySet<string> = new Set(["=", "<>", "+", "*"]);
const MIRRORED: Readonly<Record<string, string>> = { ">": "<", ">=": "<=" };

function canonical(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(canonical);
  if (typeof node === "bigint") return `${node}n`;
  if (typeof node !== "object" || node === null) return node;
  const members = node as Readonly<Record<string, unknown>>;
  // Parentheses group and mean nothing else: the tree has the grouping.
  const plain = Object.fromEntries(
    Object.entries(members)
      .filter(([name, value]) => name !== "span" && !name.endsWith("Span") && value !== undefined)
      .map(([name, value]) => [name, canonical(value)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  if (typeof plain["name"] === "string" && typeof plain["quoted"] === "boolean") {
    const name = plain["name"];
    // A quoted name of lower-case letters is the name without quotes.
    return plain["quoted"] && !/^[a-z_][a-z0-9_]*$/.test(name) ? { quoted: name } : { name: name.toLowerCase() };
  }
  if (plain["kind"] === "binary" && typeof plain["operator"] === "string") {
    const { left, right, operator } = plain;
    if (SWAPPABLE.has(operator as string)) {
      const [first, second] = [left, right].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
      return { ...plain, left: first, right: second };
    }
    const mirrored = MIRRORED[operator as string];
    if (mirrored !== undefined) return { ...plain, operator: mirrored, left: right, right: left };
  }
  if (plain["kind"] === "logical" && Array.isArray(plain["operands"])) {
    const operands = (plain["operands"] as readonly Readonly<Record<string, unknown>>[]).flatMap((operand) =>
      operand["kind"] === "logical" && operand["operator"] === plain["operator"]
        ? (operand["operands"] as readonly unknown[])
        : [operand],
    );
    const texts = new Map(operands.map((operand) => [JSON.stringify(operand), operand]));
    const different = [...texts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, operand]) => operand);
    return different.length === 1 ? different[0] : { ...plain, operands: different };
  }
  return plain;
}

/** The text without comments and with one blank between words. Texts and names between quotes stay as they are. */
function withoutLayout(text: string): string {
  const tokens = text.matchAll(/'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|--[^\n]*|\/\*[\s\S]*?\*\/|\s+|[^\s'"`/-]+|[/-]/g);
  const words = [...tokens].map(([token]) => (/^(?:--|\/\*|\s)/.test(token) ? " " : token));
  return words.join("").replaceAll(/ +/g, " ").trim().replace(/;$/, "").trim();
}
