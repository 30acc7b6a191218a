/** Warnings about a bound query before it runs: legal SQL that probably does not compute what was meant. */
import type { BindingContext } from "../binding/context.ts";
import { ModelRelation, type Relation } from "../binding/relation.ts";
import type { Scope } from "../binding/scope.ts";
import type { WarningCode } from "../diagnostics.ts";
import type { Model } from "../manifest/model.ts";
import { NOWHERE } from "../syntax/spans.ts";
import type { Call, Query, Select, Span } from "../syntax/tree.ts";
import { walk } from "../syntax/walk.ts";
import { calculationsOver } from "./declared.ts";
import { type Fanout, findFanout } from "./fanout.ts";
import { addWarning, excerpt } from "./findings.ts";
import { checkDivisions } from "./integer-division.ts";
import type { Source } from "./join-graph.ts";
import { type Measure, measureOf } from "./measures.ts";
import { findRowLosses, type RowLoss } from "./row-loss.ts";
import { Grain } from "./unique-rows.ts";

/**
 * Adds INTEGER_DIVISION, FANOUT_RISK and ROW_LOSS_POSSIBLE to the warnings of `context`; `query` is bound, and was read
 * from `sql`.
 */
export function checkQuery(query: Query, sql: string, context: BindingContext): void {
  checkDivisions(sql, context);
  let checker: Checker | undefined;
  for (const [select, scope] of context.selects) {
    if (scope.aggregates.length === 0 || !joinsSomething(scope.namespace.relations)) continue;
    checker ??= new Checker(query, sql, context);
    checker.check(select, scope);
  }
}

/** A single subquery may hold joins. */
function joinsSomething(relations: readonly Relation[]): boolean {
  return relations.length > 1 || (relations[0] !== undefined && !(relations[0] instanceof ModelRelation));
}

class Checker {
  readonly #query: Query;
  readonly #sql: string;
  readonly #context: BindingContext;
  readonly #grain: Grain;
  #written: ReadonlySet<Select> | undefined;

  constructor(query: Query, sql: string, context: BindingContext) {
    this.#query = query;
    this.#sql = sql;
    this.#context = context;
    this.#grain = new Grain(context);
  }

  check(select: Select, scope: Scope): void {
    for (const { fanout, calls } of this.#fanoutsOf(select, scope)) {
      this.#warn(select, "FANOUT_RISK", calls[0]?.span, () => this.#describeFanout(fanout, calls));
    }
    const graph = scope.namespace.relations.length > 1 ? this.#grain.graphOf(select) : undefined;
    if (graph === undefined) return;
    for (const loss of findRowLosses(graph, scope.aggregates)) {
      const source = graph.sources[loss.to];
      this.#warn(select, "ROW_LOSS_POSSIBLE", source?.table.span, () =>
        this.#describeLoss(loss, source, graph.sources[loss.from]),
      );
    }
  }

  /** One finding per cause: aggregates about the same rows share it. */
  #fanoutsOf(select: Select, scope: Scope): readonly { readonly fanout: Fanout; readonly calls: readonly Call[] }[] {
    const seen: { readonly measure: Measure; readonly fanout: Fanout | undefined }[] = [];
    const causes: { readonly fanout: Fanout; readonly calls: Call[] }[] = [];
    for (const call of scope.aggregates) {
      const measure = measureOf(call);
      if (measure === undefined) continue;
      const alike = seen.find((each) => isAboutTheSame(each.measure, measure));
      const fanout = alike === undefined ? findFanout(measure, select, this.#grain) : alike.fanout;
      if (alike === undefined) seen.push({ measure, fanout });
      if (fanout === undefined) continue;
      const known = causes.find((each) => isSameCause(each.fanout, fanout));
      if (known === undefined) causes.push({ fanout, calls: [call] });
      else known.calls.push(call);
    }
    return causes;
  }

  #warn(
    select: Select,
    code: WarningCode,
    span: Span | undefined,
    describe: () => { readonly message: string; readonly hint: string },
  ): void {
    if (span === undefined || span.end <= span.start || !this.#isWritten(select)) return;
    addWarning(this.#context.warnings, code, span, describe);
  }

  /**
   * Whether the caller wrote the SELECT: one of the manifest has no position in the caller's text, and callers cannot
   * fix it.
   */
  #isWritten(select: Select): boolean {
    if (this.#written === undefined) {
      const written = new Set<Select>();
      walk(this.#query, (node) => {
        if (node.kind === "select") written.add(node);
        return true;
      });
      this.#written = written;
    }
    return this.#written.has(select);
  }

  #describeFanout({ graph, repeated, by, isProduct }: Fanout, calls: readonly Call[]) {
    const repeatedSources = repeated.flatMap((position) => graph.sources[position] ?? []);
    const names = listed(repeatedSources.map(nameOf));
    const multiplier = graph.sources[by];
    const isInView = multiplier !== undefined && standsInView(multiplier);
    const joined = multiplier === undefined ? "a join" : `the join with ${nameOf(multiplier)}`;
    const join = isInView ? `${joined} inside of a view` : joined;
    const aggregates = this.#textOf(calls);
    if (isProduct) {
      return {
        message: `${join} may combine each row of ${names} with several: ${aggregates} would count combinations`,
        hint: "Aggregate each of the two in a subquery of its own and join the results, or count(DISTINCT key).",
      };
    }
    const message = `${join} may repeat rows of ${names}: ${aggregates} would count them more than once`;
    if (isInView) return { message, hint: `Query the models of the view, and ${aggregateFirst(multiplier)}` };
    const [only, ...others] = repeatedSources;
    const single = others.length === 0 ? only?.relation : undefined;
    const hints = this.#specialHints(single, multiplier?.relation, calls);
    return { message, hint: [...hints, capitalized(aggregateFirst(multiplier))].join(" ") };
  }

  /** Ways out that this model and this aggregate have besides the general one. */
  #specialHints(single: Relation | undefined, multiplier: Relation | undefined, calls: readonly Call[]): string[] {
    if (!(single instanceof ModelRelation)) return [];
    const hints: string[] = [];
    if (multiplier instanceof ModelRelation) {
      const calculated = calculationsOver(single.model, multiplier.model.name);
      if (calculated.length > 0) {
        const columns = listed(calculated.slice(0, 3).map((name) => `"${name}"`));
        hints.push(`Model "${single.model.name}" calculates ${columns} over "${multiplier.model.name}" by itself.`);
      }
    }
    const key = visibleKey(single.model);
    if (key !== undefined && calls.some((call) => call.name[0]?.name === "count")) {
      hints.push(`Write count(DISTINCT ${single.name}.${key}) to count rows of "${single.name}".`);
    }
    return hints;
  }

  #describeLoss({ column, aggregate }: RowLoss, to: Source | undefined, from: Source | undefined) {
    const [target, source] = [to, from].map((each) => (each === undefined ? "a table" : nameOf(each)));
    return {
      message: `the inner join with ${target} leaves out rows of ${source} without a match: ${this.#textOf([aggregate])} does not see them`,
      hint: `Write LEFT JOIN to keep them, or add ${from?.relation.name}.${column} IS NOT NULL if they should not count.`,
    };
  }

  /** Aggregates as the caller wrote them, on one line. */
  #textOf(calls: readonly Call[]): string {
    const texts = calls.slice(0, 3).map(({ span }) => excerpt(this.#sql, span));
    const shown = [...new Set(texts)];
    return listed(calls.length > 3 ? [...shown, `${calls.length - 3} more`] : shown);
  }
}

/** The same columns, counted in the same way: what holds of one aggregate holds of the other. */
function isAboutTheSame(a: Measure, b: Measure): boolean {
  return (
    a.isCount === b.isCount &&
    a.ignoresOneValue === b.ignoresOneValue &&
    a.columns.length === b.columns.length &&
    a.columns.every((column, index) => column === b.columns[index])
  );
}

function isSameCause(a: Fanout, b: Fanout): boolean {
  return a.graph === b.graph && a.by === b.by && a.isProduct === b.isProduct && a.repeated.join() === b.repeated.join();
}

function aggregateFirst(multiplier: Source | undefined): string {
  const finer = multiplier === undefined ? "the finer table" : nameOf(multiplier);
  return `aggregate ${finer} to one row per join key in a subquery first, or test it with EXISTS if it only filters.`;
}

function capitalized(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** Aliases inside a view are not visible to the caller: the message uses the model's name. */
function nameOf(source: Source): string {
  const { relation } = source;
  if (standsInView(source) && relation instanceof ModelRelation) return `"${relation.model.name}"`;
  return relation.name === "" ? "a subquery" : `"${relation.name}"`;
}

function standsInView({ table }: Source): boolean {
  return table.span === NOWHERE;
}

function listed(texts: readonly string[]): string {
  return texts.length < 2 ? (texts[0] ?? "") : `${texts.slice(0, -1).join(", ")} and ${texts[texts.length - 1]}`;
}

/** The single column of the primary key, where callers may name it. */
function visibleKey(model: Model): string | undefined {
  const [name, ...others] = model.primaryKey;
  if (name === undefined || others.length > 0) return undefined;
  const data = model.data.columns.find((column) => column.name === name);
  return data === undefined || data.isHidden || data.rule !== undefined ? undefined : name;
}
