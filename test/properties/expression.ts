/**
 * Expressions as the generator means them. Each is spelled twice: as a modeller or a caller writes it, with names and
 * relationship paths, and as the oracle has it, with correlated subqueries over tables of plain rows.
 */
import type { Column, Hop, Relation } from "./world.ts";

/** Kinds of values that may be combined. `list` cannot be combined further. */
export type Kind = "int" | "dec" | "dbl" | "text" | "bool" | "date" | "ts" | "list";

/** The rows a reference starts from: a model's own inside its expressions, an item of FROM in a query. */
export interface Root {
  readonly relation: Relation;
  readonly alias: string;
}

export interface Reference {
  readonly node: "reference";
  readonly kind: Kind;
  readonly root: Root;
  readonly hops: readonly Hop[];
  readonly column: Column;
}

/** Text with holes; where both spellings differ, both are given. */
export interface Template {
  readonly node: "template";
  readonly kind: Kind;
  readonly parts: readonly (string | Expression | { readonly written: string; readonly oracle: string })[];
}

export interface Aggregate {
  readonly node: "aggregate";
  readonly kind: Kind;
  readonly name: string;
  readonly distinct: boolean;
  /** Absent for `count(*)`. */
  readonly argument: Expression | undefined;
  readonly separator: string | undefined;
  readonly orderBy: readonly { readonly expression: Expression; readonly descending: boolean }[];
  readonly filter: Expression | undefined;
  /** The hops whose rows are aggregated; references inside begin with a part of it, or have no hops at all. */
  readonly chain: readonly Hop[];
  readonly root: Root;
}

/** A subquery of the caller's: rows of another relation. */
export interface Exists {
  readonly node: "exists";
  readonly kind: "bool";
  readonly root: Root;
  readonly condition: Expression;
}

export type Expression = Reference | Template | Aggregate | Exists;

export function template(kind: Kind, ...parts: Template["parts"]): Template {
  return { node: "template", kind, parts };
}

/** Every reference in `expression`, those in aggregates and subqueries included. */
export function references(expression: Expression): readonly Reference[] {
  switch (expression.node) {
    case "reference":
      return [expression];
    case "template":
      return expression.parts.flatMap((part) => (typeof part === "object" && "node" in part ? references(part) : []));
    case "aggregate":
      return [
        ...(expression.argument === undefined ? [] : references(expression.argument)),
        ...expression.orderBy.flatMap((item) => references(item.expression)),
        ...(expression.filter === undefined ? [] : references(expression.filter)),
      ];
    case "exists":
      return references(expression.condition);
  }
}

/** Every aggregate in `expression`, outside of others. */
export function aggregates(expression: Expression): readonly Aggregate[] {
  if (expression.node === "aggregate") return [expression];
  if (expression.node === "exists") return aggregates(expression.condition);
  if (expression.node === "reference") return [];
  return expression.parts.flatMap((part) => (typeof part === "object" && "node" in part ? aggregates(part) : []));
}

/** How somebody writes it. `from` writes the table of a subquery. */
export interface Writing {
  readonly reference: (reference: Reference) => string;
  readonly from: (root: Root) => string;
}

export function write(expression: Expression, writing: Writing): string {
  const inner = (each: Expression): string => write(each, writing);
  switch (expression.node) {
    case "reference":
      return writing.reference(expression);
    case "template":
      return expression.parts
        .map((part) => (typeof part === "string" ? part : "node" in part ? inner(part) : part.written))
        .join("");
    case "exists":
      return `EXISTS (SELECT 1 FROM ${writing.from(expression.root)} WHERE ${inner(expression.condition)})`;
    case "aggregate": {
      const { name, distinct, argument, separator, orderBy, filter } = expression;
      const order = orderBy.map((item) => `${inner(item.expression)}${item.descending ? " DESC" : ""}`).join(", ");
      const body = `${distinct ? "DISTINCT " : ""}${argument === undefined ? "*" : inner(argument)}${separator === undefined ? "" : `, '${separator}'`}`;
      const call = `${name}(${body}${order === "" ? "" : ` ORDER BY ${order}`})`;
      return filter === undefined ? call : `${call} FILTER (WHERE ${inner(filter)})`;
    }
  }
}
