/** Structural equality of bound expressions, spans apart: what GROUP BY, DISTINCT and ORDER BY compare by. */
import { countStep } from "../plan-budget.ts";
import type { Expression } from "../syntax/tree.ts";

export function sameExpression(a: Expression, b: Expression): boolean {
  return a === b || sameValue(a, b);
}

function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  countStep();
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
    // A column is compared by identity; its span and quoting do not matter.
    if (key === "span" || key === "type" || key === "quoted") continue;
    if (key === "column" && left["kind"] === "bound") {
      if (left[key] !== right[key]) return false;
    } else if (!sameValue(left[key], right[key])) return false;
  }
  return true;
}

/** Up to this many expressions, comparing one by one is faster than hashing. */
const FEW = 12;

interface Entry<T> {
  readonly key: Expression;
  readonly value: T;
}

/** Values by the structure of bound expressions: thousands of keys and thousands of questions meet in one pass. */
export class ExpressionMap<T> {
  readonly #entries: Entry<T>[] = [];
  #buckets: Buckets<T> | undefined;

  /** The value added first for an equal expression. */
  get(expression: Expression): T | undefined {
    for (const { key, value } of this.#candidates(expression)) if (sameExpression(key, expression)) return value;
    return undefined;
  }

  add(key: Expression, value: T): void {
    const entry = { key, value };
    this.#entries.push(entry);
    this.#buckets?.add(entry);
  }

  #candidates(expression: Expression): readonly Entry<T>[] {
    if (this.#entries.length <= FEW) return this.#entries;
    this.#buckets ??= new Buckets(this.#entries);
    return this.#buckets.near(expression);
  }
}

class Buckets<T> {
  readonly #byHash = new Map<number, Entry<T>[]>();
  readonly #hashes = new StructuralHashes();

  constructor(entries: readonly Entry<T>[]) {
    for (const entry of entries) this.add(entry);
  }

  add(entry: Entry<T>): void {
    const hash = this.#hashes.of(entry.key);
    const bucket = this.#byHash.get(hash);
    if (bucket === undefined) this.#byHash.set(hash, [entry]);
    else bucket.push(entry);
  }

  near(expression: Expression): readonly Entry<T>[] {
    return this.#byHash.get(this.#hashes.of(expression)) ?? [];
  }
}

export class ExpressionSet {
  readonly #expressions = new ExpressionMap<true>();

  constructor(expressions: Iterable<Expression>) {
    for (const expression of expressions) this.#expressions.add(expression, true);
  }

  has(expression: Expression): boolean {
    return this.#expressions.get(expression) === true;
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
