/** Plans queries that no caller sent, to check that they can be planned. */
import type { BindingContext, CallableFunctions } from "../binding/context.ts";
import { bindWholeQuery } from "../binding/query.ts";
import { plannersOwn } from "../diagnostics.ts";
import { planningContext } from "../expand/context.ts";
import { name, selectFrom } from "../expand/select.ts";
import { expandModels } from "../expand/statement.ts";
import type { PlannerLimits } from "../limits.ts";
import { lowerQuery } from "../lowering/lower.ts";
import type { Target } from "../lowering/target.ts";
import type { Manifest } from "../manifest/manifest.ts";
import type { Model } from "../manifest/model.ts";
import { withinBudget } from "../plan-budget.ts";
import { integer, selectItem } from "../syntax/build.ts";
import { print } from "../syntax/printer.ts";
import { NOWHERE } from "../syntax/spans.ts";
import type { Expression, Query, TableExpression } from "../syntax/tree.ts";
import type { Problems } from "./problems.ts";

export interface TrialSettings extends CallableFunctions {
  readonly target: Target;
  readonly limits: PlannerLimits;
}

/** Cost of planning by size, in units of `Problems`. */
const COST = { plan: 100, parsed: 3, scanned: 0.3, placed: 3, join: 60 } as const;

export class Trials {
  readonly manifest: Manifest;
  readonly problems: Problems;
  readonly target: Target;
  readonly #settings: TrialSettings;

  constructor(manifest: Manifest, problems: Problems, settings: TrialSettings) {
    this.manifest = manifest.readBy(settings.target.typeNames);
    this.problems = problems;
    this.target = settings.target;
    this.#settings = settings;
  }

  /** Runs `work` with a new context; `size` is the length of the checked text. False after a fault. */
  run(object: string, size: number, work: (context: BindingContext) => void): boolean {
    return this.problems.attempt(object, () => this.#measured(size, work)) ?? false;
  }

  /**
   * Plans `query`; with `modeller`, as the expression of that model, which may name its hidden columns too. False after
   * an error.
   */
  plan(object: string, size: number, query: () => Query, modeller?: Model): boolean {
    return this.run(object, size, (context) => this.#plan(query(), context, modeller));
  }

  /** Like `plan`, for a query that represents several: it does not report which of them is wrong. */
  passes(size: number, query: Query, modeller: Model): boolean {
    if (this.problems.exhausted) return false;
    try {
      return this.#measured(size, (context) => this.#plan(query, context, modeller));
    } catch (error) {
      plannersOwn(error);
      return false;
    }
  }

  #measured(size: number, work: (context: BindingContext) => void): true {
    const context = this.context(new Map());
    try {
      withinBudget(this.#settings.limits, () => work(context));
    } finally {
      const { spent, joins } = context.budget;
      this.problems.spend(COST.plan + size * COST.parsed + spent * COST.placed + joins * COST.join);
    }
    return true;
  }

  /** For a text of `size` that is read and not planned. */
  spend(size: number): void {
    this.problems.spend(size * COST.scanned);
  }

  #plan(query: Query, context: BindingContext, modeller: Model | undefined): void {
    const bind = () => bindWholeQuery(query, context);
    const bound = modeller === undefined ? bind() : context.asRule(modeller, bind);
    const expanded = expandModels(bound.query, context, this.target);
    print(lowerQuery(expanded, context, this.target), this.target.print, {
      origins: [],
      limits: this.#settings.limits,
    });
  }

  context(session: ReadonlyMap<string, string>): BindingContext {
    return planningContext(
      this.manifest,
      { ...this.#settings, unlisted: this.target.unlisted, timeZone: "UTC", stars: "every column" },
      { session, accessControl: "standard" },
    );
  }
}

/** `SELECT columns FROM table`; without columns, a query that reads none. */
export function columnsOf(table: string, ...columns: readonly string[]): Query {
  const expressions = columns.map((each): Expression => ({ kind: "column", parts: [name(each)], span: NOWHERE }));
  const selected = expressions.length === 0 ? [integer(1, { span: NOWHERE })] : expressions;
  const from: TableExpression = { kind: "table", name: [name(table)], alias: undefined, span: NOWHERE };
  return selectFrom(
    selected.map((expression) => selectItem(expression, undefined, expression)),
    from,
  );
}
