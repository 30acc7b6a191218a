/** Finding output columns by ordinal or name, as ORDER BY, GROUP BY and DISTINCT ON do. */
import { accessDenied } from "../access/policy.ts";
import { PlannerError } from "../diagnostics.ts";
import type { Expression, Identifier, Span } from "../syntax/tree.ts";
import { sameExpression } from "./same.ts";
import type { OutputColumn } from "./scope.ts";

/** Spelled or lower-case name → indexes of the columns that have it. */
type Index = Map<string, number[]>;

export class OutputNames {
  readonly columns: readonly OutputColumn[];
  #spelled: Index | undefined;
  #folded: Index | undefined;

  constructor(columns: readonly OutputColumn[]) {
    this.columns = columns;
  }

  /** The index of the output column that an ordinal or a bare name means; `undefined` for anything else. */
  find(expression: Expression): number | undefined {
    const { columns } = this;
    if (expression.kind === "number" && expression.parameter === undefined && /^\d+$/.test(expression.text)) {
      const index = Number(expression.text) - 1;
      if (index >= 0 && index < columns.length) return this.#allowed(index, expression.span);
      throw new PlannerError("INVALID_QUERY", `position ${expression.text.slice(0, 20)} is not in the select list`, {
        span: expression.span,
        hint: `The select list has ${columns.length} column${columns.length === 1 ? "" : "s"}.`,
      });
    }
    if (expression.kind !== "column" || expression.parts.length !== 1) return undefined;
    const [name] = expression.parts;
    return name === undefined ? undefined : this.findName(name);
  }

  /** First by exact spelling, then without case unless it is quoted. */
  findName(name: Identifier): number | undefined {
    this.#spelled ??= indexBy(this.columns, (own) => own);
    const spelled = this.#spelled.get(name.name);
    if (spelled !== undefined) return this.#single(spelled, name);
    if (name.quoted) return undefined;
    this.#folded ??= indexBy(this.columns, (own) => own.toLowerCase());
    const folded = this.#folded.get(name.name.toLowerCase());
    return folded === undefined ? undefined : this.#single(folded, name);
  }

  /** Sorting and grouping by a restricted column would reveal its values. */
  #allowed(index: number, span: Span): number {
    const denial = this.columns[index]?.denial;
    if (denial !== undefined) throw accessDenied(denial, { span });
    return index;
  }

  /** Several columns of a name are one if they hold the same expression. */
  #single(indexes: readonly number[], name: Identifier): number | undefined {
    const [first, ...others] = indexes;
    const own = this.columns[first ?? 0]?.origins ?? [];
    const isSame = (other: number): boolean => {
      const { origins = [] } = this.columns[other] ?? {};
      return origins.length === own.length && origins.every((each, index) => sameExpression(each, own[index] ?? each));
    };
    if (others.every(isSame)) return first === undefined ? first : this.#allowed(first, name.span);
    throw new PlannerError(
      "AMBIGUOUS_COLUMN",
      `column "${name.name}" is ambiguous: the select list has it more than once`,
      { span: name.span, hint: "Give the columns distinct aliases." },
    );
  }
}

function indexBy(columns: readonly OutputColumn[], key: (own: string) => string): Index {
  const index: Index = new Map();
  const add = (own: string, position: number): void => {
    const known = index.get(own);
    if (known === undefined) index.set(own, [position]);
    else if (known.at(-1) !== position) known.push(position);
  };
  columns.forEach(({ name, implicitName }, position) => {
    add(key(name), position);
    if (implicitName !== undefined) add(key(implicitName), position);
  });
  return index;
}
