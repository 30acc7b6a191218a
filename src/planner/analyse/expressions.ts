/** The analysis of one expression: its text, its location, the columns it reads, its properties. */
import type { BinaryOperator, ColumnReference, Expression } from "../syntax/tree.ts";
import { someExpression, walk } from "../syntax/walk.ts";
import type { BlockScope, SourceColumn } from "./block-scope.ts";
import type { AnalysisBudget } from "./budget.ts";
import { canonicalText, writtenPath } from "./canonical-text.ts";
import { type Places, startOfExpression } from "./places.ts";
import type { ColumnAnalysis, ExpressionSource, Location } from "./records.ts";

/** Rough sizes of records in JSON, their texts aside. */
const RECORD = 150;

export class ExpressionAnalyst {
  readonly #places: Places;
  readonly #budget: AnalysisBudget;

  constructor(places: Places, budget: AnalysisBudget) {
    this.#places = places;
    this.#budget = budget;
  }

  text(expression: Expression): string {
    const text = canonicalText(expression);
    this.#budget.spend(RECORD + text.length);
    return text;
  }

  /** Charges for a text that is repeated, with its sources. */
  again(text: string, sources: readonly ExpressionSource[]): void {
    this.#budget.spend(RECORD + text.length + sources.length * RECORD);
  }

  place(offset: number): Location {
    return this.#places.at(offset);
  }

  placeOf(expression: Expression): Location {
    return this.#places.at(startOfExpression(expression));
  }

  /** The model columns that the expression reads, in the order of the text; queries inside it are left out. */
  sources(expression: Expression, scope: BlockScope): readonly ExpressionSource[] {
    const references: ColumnReference[] = [];
    someExpression(expression, (each) => {
      if (each.kind === "column") references.push(each);
      return false;
    });
    references.sort((a, b) => a.span.start - b.span.start);
    return references.flatMap((reference) => {
      const found = scope.resolve(reference.parts);
      return found === undefined ? [] : [this.source(writtenPath(reference.parts), found, reference.span.start)];
    });
  }

  source(expression: string, { model, column }: SourceColumn, offset: number): ExpressionSource {
    this.#budget.spend(RECORD + expression.length + model.name.length + column.name.length);
    return {
      expression,
      sourceDataset: model.name,
      sourceColumn: column.name,
      nodeLocation: this.#places.at(offset),
    };
  }
}

/** Properties of the whole expression, including queries inside it. */
export function propertiesOf(expression: Expression): ColumnAnalysis["properties"] {
  let calls = false;
  let computes = false;
  walk(expression, (node) => {
    switch (node.kind) {
      case "call":
      case "extract":
        calls = true;
        break;
      case "unary":
        computes ||= node.operator === "-" || node.operator === "+";
        break;
      case "binary":
        computes ||= MATHEMATICAL.has(node.operator);
        break;
      default:
    }
    return true;
  });
  return { includeFunctionCall: calls ? "true" : "false", includeMathematicalOperation: computes ? "true" : "false" };
}

const MATHEMATICAL: ReadonlySet<BinaryOperator> = new Set<BinaryOperator>([
  "+",
  "-",
  "*",
  "/",
  "//",
  "%",
  "^",
  "=",
  "<>",
  "<",
  "<=",
  ">",
  ">=",
  "is distinct from",
  "is not distinct from",
]);
