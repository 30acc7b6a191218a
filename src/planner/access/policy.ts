/** The effect of a manifest's rules for one request: each rule is evaluated once, when a query needs it. */
import { PlannerError, type PlannerWarning } from "../diagnostics.ts";
import { dependenciesOf } from "../manifest/calculated.ts";
import type { ColumnRuleData, PropertyData, RowRuleData } from "../manifest/data.ts";
import type { Manifest } from "../manifest/manifest.ts";
import type { Model, ModelColumn } from "../manifest/model.ts";
import type { Path } from "../manifest/paths.ts";
import type { AppliedRule } from "../plan.ts";
import { type ColumnRuleOutcome, columnRule } from "./column-rules.ts";
import { propertyMissing, propertyValue } from "./properties.ts";
import { type RowRule, rowRule } from "./row-rules.ts";

export interface AccessOptions {
  /** Names in lower case, values as SQL literal text. */
  readonly session: ReadonlyMap<string, string>;
  /**
   * `strict`: a missing optional property is an error, not a reason to skip its rule (docs/decisions/0014-optional-properties.md).
   */
  readonly accessControl: "standard" | "strict";
  readonly warn: (code: PlannerWarning["code"], message: string, hint: string) => void;
}

export class AccessPolicy {
  readonly #options: AccessOptions;
  readonly #rowRules = new Map<Model, readonly RowRule[]>();
  readonly #columnRules = new Map<ColumnRuleData, ColumnRuleOutcome | PlannerError>();
  readonly #denials = new Map<ModelColumn, Denial | undefined>();
  readonly #restricting = new Map<Manifest, boolean>();
  readonly #applied = new Map<string, AppliedRule>();
  readonly #properties = new Set<string>();
  #restricts = false;

  constructor(options: AccessOptions) {
    this.#options = options;
  }

  /** Some rule keeps rows or columns of this plan from its caller. */
  get restricts(): boolean {
    return this.#restricts;
  }

  /** Rules that have applied so far. */
  get applied(): readonly AppliedRule[] {
    return [...this.#applied.values()];
  }

  /** Session properties whose values the rules read so far: names in lower case, sorted. */
  get properties(): readonly string[] {
    return [...this.#properties].toSorted();
  }

  #readsProperties(properties: readonly PropertyData[]): void {
    for (const { name } of properties) this.#properties.add(name.toLowerCase());
  }

  #note(model: Model, rule: string, effect: AppliedRule["effect"]): void {
    const key = JSON.stringify([model.name, rule, effect]);
    if (!this.#applied.has(key)) this.#applied.set(key, { model: model.name, rule, effect });
  }

  /** The conditions that every row of `model` has to meet. Throws SESSION_PROPERTY_…, MANIFEST_EXPRESSION. */
  rowRules(model: Model): readonly RowRule[] {
    let known = this.#rowRules.get(model);
    if (known === undefined) {
      const rules: RowRule[] = [];
      for (const data of model.data.rowRules) {
        this.#readsProperties(data.properties);
        const outcome = rowRule(model, data, this.#options.session);
        this.#note(model, data.name, outcome.kind === "applies" ? "rows" : "skipped");
        if (outcome.kind === "applies") rules.push(outcome.rule);
        else this.#skipped(outcome.owner, outcome.rule, outcome.property.name);
      }
      known = rules;
      if (known.length > 0) this.#restricts = true;
      this.#rowRules.set(model, known);
    }
    return known;
  }

  /**
   * Why the caller may not name `column`, directly or through its sources; `undefined` if they may. Columns compared in
   * join conditions do not count. Throws SESSION_PROPERTY_….
   */
  denial(model: Model, column: ModelColumn): Denial | undefined {
    // It is computed from itself alone. Every use of a column asks, and most columns are such.
    if (column.kind === "plain" && column.rule === undefined && model.base === undefined) return undefined;
    if (this.#denials.has(column)) return this.#denials.get(column);
    let denial: Denial | undefined;
    for (const [each, owner] of dependenciesOf(model, column)) denial ??= this.#ownDenial(owner, each);
    this.#denials.set(column, denial);
    return denial;
  }

  /** The same for a column behind relationships, which have rules of their own. */
  pathDenial({ hops, model, column }: Path): Denial | undefined {
    let denial: Denial | undefined;
    for (const { handle, from } of hops) denial ??= this.#ownDenial(from, handle);
    return denial ?? this.denial(model, column);
  }

  /**
   * Whether any rule of the manifest may restrict this caller, also on models that the plan does not read. Rules with
   * invalid properties and invalid models count as restricting.
   */
  restrictsAnything(manifest: Manifest): boolean {
    let known = this.#restricting.get(manifest);
    if (known === undefined) {
      known = this.#someRuleHolds(manifest);
      this.#restricting.set(manifest, known);
    }
    return known;
  }

  #someRuleHolds({ data }: Manifest): boolean {
    return data.models.some(({ dataIfValid: model }) => {
      if (model === undefined) return true;
      const { rowRules, columns } = model;
      const rules = columns.flatMap(({ rule }) => rule ?? []);
      return rowRules.some((rule) => this.#mayApply(rule)) || rules.some((rule) => this.#mayDeny(rule));
    });
  }

  /**
   * Whether the caller may know that the column exists. Rules and calculated columns may read hidden and denied
   * columns, and their results may be shown. Does not record the property as read: the reader may not be the caller.
   */
  shows({ hidden, rule }: ModelColumn): boolean {
    return !hidden && (rule === undefined || !this.#mayDeny(rule));
  }

  /** Some rule keeps rows or columns of the model from this caller. */
  withholds(model: Model): boolean {
    const { rowRules, columns } = model.data;
    return (
      rowRules.some((rule) => this.#mayApply(rule)) ||
      columns.some(({ rule }) => rule !== undefined && this.#mayDeny(rule))
    );
  }

  #mayApply(rule: RowRuleData): boolean {
    const { session } = this.#options;
    this.#readsProperties(rule.properties);
    return attempted(() => rule.properties.every((each) => propertyValue(each, rule.name, session).kind === "value"));
  }

  #mayDeny(rule: ColumnRuleData): boolean {
    return attempted(() => this.#columnRule(rule) === "denied");
  }

  /** Cached, because lineage asks for every column of the result, and a thousand may come from one model column. */
  #columnRule(rule: ColumnRuleData): ColumnRuleOutcome {
    let known = this.#columnRules.get(rule);
    if (known === undefined) {
      this.#readsProperties([rule.property]);
      known = outcomeOrFault(() => columnRule(rule, this.#options.session));
      this.#columnRules.set(rule, known);
    }
    if (known instanceof PlannerError) throw known;
    return known;
  }

  #ownDenial(model: Model, column: ModelColumn): Denial | undefined {
    const { rule } = column;
    if (rule === undefined) return undefined;
    const outcome = this.#columnRule(rule);
    if (outcome === "allowed") return undefined;
    this.#note(model, rule.name, outcome === "skipped" ? "skipped" : "column");
    if (outcome === "skipped") {
      this.#skipped(`column rule "${rule.name}" of model "${model.name}"`, rule.name, rule.property.name);
      return undefined;
    }
    this.#restricts = true;
    return {
      message: `Permission Denied: Access denied to column "${model.name}"."${column.name}": violates access control rule "${rule.name}"`,
    };
  }

  #skipped(owner: string, rule: string, property: string): void {
    if (this.#options.accessControl === "strict") throw propertyMissing(property, rule);
    this.#options.warn(
      "ACCESS_RULE_SKIPPED",
      `${owner} is skipped: the session property ${property} is not set`,
      `Send x-wren-variable-${property}, or set ACCESS_CONTROL=strict to refuse such requests.`,
    );
  }
}

function outcomeOrFault(evaluate: () => ColumnRuleOutcome): ColumnRuleOutcome | PlannerError {
  try {
    return evaluate();
  } catch (error) {
    if (error instanceof PlannerError) return error;
    throw error;
  }
}

/** The result of `decide`; `true` if it throws. */
function attempted(decide: () => boolean): boolean {
  try {
    return decide();
  } catch (error) {
    if (error instanceof PlannerError) return true;
    throw error;
  }
}

export interface Denial {
  readonly message: string;
}

export function accessDenied(denial: Denial, details: ConstructorParameters<typeof PlannerError>[2]): PlannerError {
  return new PlannerError("ACCESS_DENIED", denial.message, details);
}
