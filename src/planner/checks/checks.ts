/** What can be said about a bound query before it runs: answers that are legal SQL and probably not what was meant. */
import type { BindingContext } from "../binding/context.ts";
import { ModelRelation, type Relation } from "../binding/relation.ts";
import type { Scope } from "../binding/scope.ts";
import type { WarningCode } from "../diagnostics.ts";
import type { Model } from "../manifest/manifest.ts";
import type { Call, Query, Select, Span } from "../syntax/tree.ts";
import { walk } from "../syntax/walk.ts";
import { calculationsOver } from "./declared.ts";
import { type Fanout, findFanout } from "./fanout.ts";
import { measureOf } from "./measures.ts";
import { findRowLosses, type RowLoss } from "./row-loss.ts";
import { Grain } from "./unique-rows.ts";

/** As many as of unknown functions (docs/decisions.md S29). */
const MAX_WARNINGS = 100;

/** Adds FANOUT_RISK and ROW_LOSS_POSSIBLE to the warnings of `context`; `query` is bound, and was read from `sql`. */
export function checkQuery(query: Query, sql: string, context: BindingContext): void {
  const checker = new Checker(query, sql, context);
  for (const [select, scope] of context.selects) {
    if (scope.aggregates.length > 0 && joinsSomething(scope.namespace.relations)) checker.check(select, scope);
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
        this.#describeLoss(loss, source?.relation, graph.sources[loss.from]?.relation),
      );
    }
  }

  /** One finding per cause: aggregates about the same rows share it. */
  #fanoutsOf(select: Select, scope: Scope): readonly { readonly fanout: Fanout; readonly calls: readonly Call[] }[] {
    const byRows = new Map<string, Fanout | undefined>();
    const causes = new Map<string, { readonly fanout: Fanout; readonly calls: Call[] }>();
    const numbers = new Map<object, number>();
    const numberOf = (object: object): number => {
      const known = numbers.get(object) ?? numbers.size;
      numbers.set(object, known);
      return known;
    };
    for (const call of scope.aggregates) {
      const measure = measureOf(call);
      if (measure === undefined) continue;
      const rows = `${measure.isCount} ${measure.ignoresOneValue} ${measure.columns.map(numberOf).join()}`;
      const fanout = byRows.has(rows) ? byRows.get(rows) : findFanout(measure, select, this.#grain);
      byRows.set(rows, fanout);
      if (fanout === undefined) continue;
      const cause = `${numberOf(fanout.graph)} ${fanout.by} ${fanout.isProduct} ${fanout.repeated.join()}`;
      const known = causes.get(cause);
      if (known === undefined) causes.set(cause, { fanout, calls: [call] });
      else known.calls.push(call);
    }
    return [...causes.values()];
  }

  #warn(
    select: Select,
    code: WarningCode,
    span: Span | undefined,
    describe: () => { readonly message: string; readonly hint: string },
  ): void {
    if (span === undefined || span.end <= span.start || !this.#isWritten(select)) return;
    const { warnings } = this.#context;
    if (warnings.length >= MAX_WARNINGS) return;
    const { message, hint } = describe();
    const isKnown = warnings.some((each) => each.code === code && each.message === message && each.span === span);
    if (!isKnown) warnings.push({ code, message, span, hint });
  }

  /** The caller wrote the SELECT: those of the manifest have no place in the caller's text, and no caller can mend them. */
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
    const repeatedRelations = repeated.flatMap((position) => graph.sources[position]?.relation ?? []);
    const names = listed(repeatedRelations.map(nameOf));
    const multiplier = graph.sources[by]?.relation;
    const join = multiplier === undefined ? "a join" : `the join with ${nameOf(multiplier)}`;
    const aggregates = this.#textOf(calls);
    if (isProduct) {
      return {
        message: `${join} may combine each row of ${names} with several: ${aggregates} would count combinations`,
        hint: "Aggregate each of the two in a subquery of its own and join the results, or count(DISTINCT key).",
      };
    }
    const [only, ...others] = repeatedRelations;
    const single = others.length === 0 ? only : undefined;
    return {
      message: `${join} may repeat rows of ${names}: ${aggregates} would count them more than once`,
      hint: [...this.#specialHints(single, multiplier, calls), GENERAL_HINT(multiplier)].join(" "),
    };
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

  #describeLoss({ column, aggregate }: RowLoss, to: Relation | undefined, from: Relation | undefined) {
    const [target, source] = [to, from].map((relation) => (relation === undefined ? "a table" : nameOf(relation)));
    return {
      message: `the inner join with ${target} leaves out rows of ${source} without a partner there: ${this.#textOf([aggregate])} does not see them`,
      hint: `Write LEFT JOIN to keep them, or add ${from?.name}.${column} IS NOT NULL if they should not count.`,
    };
  }

  /** Aggregates as the caller wrote them, on one line. */
  #textOf(calls: readonly Call[]): string {
    const texts = calls.slice(0, 3).map(({ span }) => {
      const text = this.#sql.slice(span.start, span.end).replace(/\s+/g, " ");
      return text.length > 60 ? `${text.slice(0, 59)}…` : text;
    });
    const shown = [...new Set(texts)];
    return listed(calls.length > 3 ? [...shown, `${calls.length - 3} more`] : shown);
  }
}

const GENERAL_HINT = (multiplier: Relation | undefined): string =>
  `Aggregate ${multiplier === undefined ? "the finer table" : nameOf(multiplier)} to one row per join key in a subquery first, or test it with EXISTS if it only filters.`;

function nameOf(relation: Relation): string {
  return relation.name === "" ? "a subquery" : `"${relation.name}"`;
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
