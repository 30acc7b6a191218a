/** Expressions of a metric view: SQL of the source where one table has all their columns, else the input language over paths. */

import type { DataSource } from "../../../src/planner/plan.ts";
import type { Expression } from "../../../src/planner/syntax/tree.ts";
import type { FilePosition } from "../../exit.ts";
import { identifierIn, written } from "../../project/identifier.ts";
import { isNullWithoutRow } from "../joined-rows.ts";
import { columnsIn, edited, quotientEdits, Unmapped } from "../sql-text.ts";
import { sparkExpression, sparkName } from "./spark-text.ts";
import { isAmbiguous, type MetricView, type Side, sideNamed } from "./view.ts";

/** SQL of the source over columns of one table. */
export interface Native {
  readonly side: Side;
  readonly sql: string;
}

/** Either form of an expression. */
export type Compiled = Native | { readonly input: string };

const DEEPEST = 50;

export class Expressions {
  readonly #view: MetricView;
  readonly #source: DataSource;
  readonly #fields = new Map<string, string>();

  constructor(view: MetricView, source: DataSource) {
    this.#view = view;
    for (const item of view.fields) {
      const [name, text] = [item.text("name")?.toLowerCase(), item.text("expr")];
      if (name !== undefined && text !== undefined && !this.#fields.has(name)) this.#fields.set(name, text);
    }
    this.#source = source;
  }

  /** `active`: fields that are being read, the innermost last. Throws `Unmapped`. */
  compiled(text: string, active: readonly string[] = []): Compiled {
    return this.ofNode(text, sparkExpression(text), active);
  }

  /** The part of a text below a node. Throws `Unmapped`. */
  ofNode(text: string, node: Expression, active: readonly string[] = []): Compiled {
    const { start, end } = node.span;
    const mentions = columnsIn(node).map((mention) => ({ mention, is: this.#mention(mention.parts, active) }));
    const natives = mentions.flatMap(({ mention, is }) => ("side" in is ? { mention, is } : []));
    const sides = new Set(natives.map(({ is }) => is.side));
    const [side = this.#view.base] = sides;
    // The view computes after its joins, so that a row without a partner may have a value.
    const isNative = side === this.#view.base || isNullWithoutRow(node, this.#source);
    if (natives.length === mentions.length && sides.size <= 1 && isNative) {
      const edits = natives.map(({ mention, is }) => ({
        start: mention.start - start,
        end: mention.end - start,
        text: is.sql,
      }));
      return { side, sql: edited(text.slice(start, end), edits) };
    }
    const edits = mentions.map(({ mention, is }) => ({
      start: mention.start - start,
      end: mention.end - start,
      text: "input" in is ? `(${is.input})` : this.column(is, mention.parts.join("_"), undefined),
    }));
    const part = text.slice(start, end);
    const tree = sparkExpression(part);
    return { input: edited(part, [...quotientEdits(tree, this.#source), ...edits]) };
  }

  /** The column with the value, in the input language over the source. */
  column({ side, sql }: Native, wanted: string, at: FilePosition | undefined, type?: string): string {
    const name = side.model.input(sql, wanted, at, type);
    return [...side.path, name].map(written).join(".");
  }

  #mention(parts: readonly string[], active: readonly string[]): Compiled {
    const shown = parts.join(".");
    const name = parts.at(-1) ?? "";
    if (parts.length === 1) {
      const field = this.#field(name, active);
      if (field !== undefined) return field;
    }
    const side = sideNamed(parts.slice(0, -1), this.#view.sides);
    if (side === undefined) throw new Unmapped(`The expression reads ${shown}, whose join is not imported.`);
    return { side, sql: sparkName(name) };
  }

  /** A field that the name stands for. A field that reads a column of its own name leaves the name to the column. */
  #field(name: string, active: readonly string[]): Compiled | undefined {
    const key = name.toLowerCase();
    if (active.at(-1) === key) return undefined;
    const text = this.#fields.get(key);
    if (text === undefined) return undefined;
    if (active.includes(key)) throw new Unmapped(`The field ${name} reads itself.`);
    if (active.length > DEEPEST) throw new Unmapped(`Fields read each other deeper than ${DEEPEST} levels.`);
    if (isAmbiguous(text, key)) {
      throw new Unmapped(`${name} is a field and a column of the source: write source.${name}.`);
    }
    const inner = this.compiled(text, [...active, key]);
    return "side" in inner && identifierIn(inner.sql) === undefined
      ? { side: inner.side, sql: `(${inner.sql})` }
      : inner;
  }
}
