/** Structural equality of bound expressions, spans apart: what GROUP BY, DISTINCT and ORDER BY compare by. */
import type { Expression } from "../syntax/tree.ts";

export function sameExpression(a: Expression, b: Expression): boolean {
  return a === b || sameValue(a, b);
}

function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, index) => sameValue(item, b[index]))
    );
  }
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  if (left["kind"] !== right["kind"]) return false;
  for (const key in left) {
    // A column is its identity; where it stands and how it was quoted make no difference.
    if (key === "span" || key === "type" || key === "quoted") continue;
    if (key === "column" && left["kind"] === "bound") {
      if (left[key] !== right[key]) return false;
    } else if (!sameValue(left[key], right[key])) return false;
  }
  return true;
}

/** As many expressions are compared one by one sooner than they are hashed. */
const FEW = 12;

/** Bound expressions by structure: thousands of keys and thousands of items meet in one pass. */
export class ExpressionSet {
  readonly #expressions: readonly Expression[];
  #buckets: ReadonlyMap<number, readonly Expression[]> | undefined;
  readonly #hashes = new StructuralHashes();

  constructor(expressions: Iterable<Expression>) {
    this.#expressions = [...expressions];
  }

  has(expression: Expression): boolean {
    return this.#candidates(expression).some((each) => sameExpression(each, expression));
  }

  #candidates(expression: Expression): readonly Expression[] {
    if (this.#expressions.length <= FEW) return this.#expressions;
    this.#buckets ??= Map.groupBy(this.#expressions, (each) => this.#hashes.of(each));
    return this.#buckets.get(this.#hashes.of(expression)) ?? [];
  }
}

/** Equal for what `sameExpression` finds equal; each node is looked at once. */
class StructuralHashes {
  readonly #known = new Map<object, number>();
  readonly #columns = new Map<unknown, number>();

  of(value: unknown): number {
    if (typeof value === "string") return textHash(value);
    if (typeof value !== "object" || value === null) return textHash(String(value));
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    let hash = 17;
    for (const [key, member] of Object.entries(value)) {
      if (key === "span" || key === "type" || key === "quoted" || member === undefined) continue;
      const part = key === "column" ? this.#column(member) : this.of(member);
      hash = (Math.imul(hash, 31) + textHash(key) * 7 + part) | 0;
    }
    this.#known.set(value, hash);
    return hash;
  }

  #column(column: unknown): number {
    const id = this.#columns.get(column) ?? this.#columns.size + 1;
    this.#columns.set(column, id);
    return id;
  }
}

function textHash(text: string): number {
  let hash = 7;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return hash;
}
