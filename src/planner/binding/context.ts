/** State of one planning run during binding: the manifest, the options, and findings. */
import { type AccessOptions, AccessPolicy, type Denial } from "../access/policy.ts";
import { PlannerError, type PlannerWarning, type WarningCode } from "../diagnostics.ts";
import type { UnlistedFunctions } from "../functions/catalogue.ts";
import type { PlannerLimits } from "../limits.ts";
import type { Manifest } from "../manifest/manifest.ts";
import type { Model, ModelColumn } from "../manifest/model.ts";
import type { Path } from "../manifest/paths.ts";
import { NOWHERE } from "../syntax/spans.ts";
import type { Binary, CommonTable, Expression, Select, Span, TableExpression } from "../syntax/tree.ts";
import type { SqlType } from "../types.ts";
import { BindingBudget } from "./budget.ts";
import { UniqueNames } from "./printable-name.ts";
import type { ListedRelation, ModelOffer, ModelRelation, Relation } from "./relation.ts";
import type { CommonTableBinding, OutputColumn, Scope } from "./scope.ts";

/** Views inside views: binding them recurses, and a few hundred have been seen to exhaust the stack. */
const MAX_VIEWS = 100;

/** Functions that callers may call in addition to the catalogue. */
export interface CallableFunctions {
  readonly unknownFunctions: "allow" | "warn" | "refuse";
  /** Schemas besides those that the manifest names, compared without case; none when absent. */
  readonly functionSchemas?: readonly string[];
}

export interface BindingOptions extends CallableFunctions {
  readonly limits: PlannerLimits;
  /** The target's policy for functions outside the catalogue. */
  readonly unlisted: UnlistedFunctions;
  /** The session's zone of the caller's SQL, as `sessionZone` writes it (docs/decisions/0011-time-zones.md). */
  readonly timeZone: string;
  /** Columns of `*` over a model: with calculated columns, or only plain ones (docs/decisions/0041-stars-of-v2.md). */
  readonly stars: "every column" | "plain columns";
  /** A column that a rule keeps from the caller is not found, as if the manifest lacked it; otherwise naming it is denied. */
  readonly conceals?: boolean;
}

/**
 * Facts about model columns that only expansion knows: types (`expand/calculated.ts`), and restrictions of a model's
 * base.
 */
export interface ColumnFacts {
  readonly typeOfColumn: (model: Model, column: ModelColumn, context: BindingContext) => SqlType;
  readonly typeOfPath: (model: Model, path: Path, span: Span, context: BindingContext) => SqlType;
  readonly denialByBase: (model: Model, column: ModelColumn, context: BindingContext) => Denial | undefined;
}

interface Mark {
  readonly joins: number;
  readonly models: number;
  readonly deferred: number;
}

export class BindingContext {
  readonly manifest: Manifest;
  readonly options: BindingOptions;
  readonly warnings: PlannerWarning[] = [];
  /** Calls of functions that the catalogue does not know, in the order of the text. */
  readonly unknownCalls: { readonly name: string; readonly span: Span }[] = [];
  /** The models in the bound tree, which expansion makes tables of, and where the text names them. */
  readonly models = new Map<ModelRelation, Span>();
  /** Tables for the other `bound-model`s, made after binding. */
  readonly deferred = new Map<ListedRelation, () => TableExpression>();
  /** WITH entry of the bound tree → its binding, which has the printed name. */
  readonly commonTableDefinitions = new Map<CommonTable, CommonTableBinding>();
  /** Full joins of the bound tree, inner ones first, with the relations on their sides. */
  readonly fullJoins = new Map<
    TableExpression,
    { readonly left: readonly Relation[]; readonly right: readonly Relation[] }
  >();
  /** Conditions of row rules, bound and lowered: the caller's options do not change their meaning. */
  readonly ruleConditions = new Set<Expression>();
  /** Conditions of the caller beside row rules: each as it was put there, by itself and by its lowered form. */
  pushedConditions: WeakMap<object, Expression> | undefined;
  readonly access: AccessPolicy;
  readonly budget: BindingBudget;
  /** Columns that models offer to a caller's query, to a rule, and to a cube's members. */
  readonly #offers: { readonly caller: ModelOffer; readonly modeller: ModelOffer; readonly member: ModelOffer };
  readonly #ofMetrics = {
    caller: new Map<string, readonly OutputColumn[]>(),
    modeller: new Map<string, readonly OutputColumn[]>(),
  };
  #ruled: Model | undefined;
  /** Every SELECT of the bound tree → its level: relations in the order of FROM, and aggregates (`checks/`). */
  readonly selects = new Map<Select, Scope>();
  /** Every division that was bound, some of them more than once (`checks/integer-division.ts`). */
  readonly quotients: Binary[] = [];
  /** `random()` and its like occur. */
  drawsByChance = false;
  /** A query stands in an expression, or behind LATERAL: it may name columns of a query around it. */
  hasSubqueries = false;
  /** An aggregate belongs to a query around the one that it stands in. */
  hasOuterAggregates = false;
  /** A call makes JSON of values. */
  makesJson = false;
  /** `noteType` has seen the type: lowering looks for what most statements lack only then. */
  hasIntervals = false;
  hasTimesOfDay = false;
  hasArrays = false;
  /**
   * A call has OVER, makes rows, or is an aggregate that compares or sorts its arguments, or a value is compared with all elements of an
   * array: what `lowering/queries/clauses.ts` looks for besides subqueries.
   */
  hasSpecialValues = false;
  /** An expression has another value at another time: time functions, random functions, or an unknown function. */
  dependsOnTime = false;
  /** A name that was not found has been looked for among the tables that LATERAL would show; planning fails anyway. */
  soughtToTheLeft = false;
  /** Views, cubes and metrics that the query names, directly or through others; none that only a rule reads. */
  readonly namedQueries = new Set<string>();
  /** Members of cubes that the query names, by cube. */
  readonly namedMembers = new Map<string, Set<string>>();
  /** Spans of the caller's text that name members of cubes: the members' expressions take their places in the bound tree. */
  readonly #memberPlaces: Span[] = [];
  /** Relationships that the query follows; none that only a rule follows. */
  readonly followed = new Set<string>();
  /** Texts of the manifest that are being bound, in each other. */
  #modellers = 0;
  #isDefining = false;
  #locating = false;
  readonly #conditions: string[] = [];
  readonly #views: string[] = [];
  /** The span of the caller's name for the manifest text being bound. */
  #place: Span | undefined;
  readonly #tableNames = new UniqueNames();
  readonly #facts: ColumnFacts;
  readonly #request: Pick<AccessOptions, "session" | "accessControl">;

  constructor(
    manifest: Manifest,
    options: BindingOptions,
    facts: ColumnFacts,
    access: Pick<AccessOptions, "session" | "accessControl">,
  ) {
    this.manifest = manifest;
    this.options = options;
    this.#facts = facts;
    this.#request = access;
    this.budget = new BindingBudget(options.limits.joins);
    this.access = new AccessPolicy({
      ...access,
      warn: (code, message, hint) => this.warn(code, message, NOWHERE, hint),
    });
    const typed = {
      typeOfColumn: (model: Model, column: ModelColumn) => facts.typeOfColumn(model, column, this),
      typeOfPath: (model: Model, path: Path, span: Span) => facts.typeOfPath(model, path, span, this),
    };
    const denials = {
      denial: (model: Model, column: ModelColumn) =>
        this.access.denial(model, column) ?? facts.denialByBase(model, column, this),
      pathDenial: (path: Path) => this.access.pathDenial(path) ?? facts.denialByBase(path.model, path.column, this),
    };
    const shows = (model: Model, column: ModelColumn): boolean =>
      this.access.shows(column) && (column.kind === "handle" || isAllowed(denials, model, column));
    this.#offers = {
      caller: {
        ...typed,
        hides: (model, column) => column.hidden || (!this.isInView && this.#conceals(model, column)),
        ...denials,
        shows,
      },
      member: { ...typed, hides: () => false, ...denials, shows },
      modeller: { ...typed, hides: () => false, denial: () => undefined, pathDenial: () => undefined, shows },
    };
  }

  /**
   * A context for the same request in which nothing has been bound yet. A method, because a closure of the constructor kept
   * the whole context alive until V8's next full collection (Node 24: a fifth of the time of a plan).
   */
  afresh(): BindingContext {
    return new BindingContext(this.manifest, this.options, this.#facts, this.#request);
  }

  /** Called for each bound expression, and for each column that is read from a model. */
  noteType(type: SqlType | undefined): void {
    switch (type?.kind) {
      case "interval":
        this.hasIntervals = true;
        break;
      case "time":
        this.hasTimesOfDay = true;
        break;
      case "array":
        this.hasArrays = true;
        break;
      default:
        break;
    }
  }

  /** Notes a condition of `pushedConditions`; most statements have none. */
  notePushed(put: object, condition: Expression): void {
    this.pushedConditions ??= new WeakMap();
    this.pushedConditions.set(put, condition);
  }

  /** Whether messages may not tell the caller of a column (`BindingOptions.conceals`). */
  concealsNamed(modelName: string, columnName: string): boolean {
    if (this.options.conceals !== true) return false;
    try {
      const model = this.manifest.model(modelName);
      const column = model?.column(columnName);
      return model === undefined || column === undefined || this.#conceals(model, column);
    } catch (error) {
      if (error instanceof PlannerError) return true;
      throw error;
    }
  }

  /** Whether messages may not list the values of an enum: no column that the caller may see has it as its type. */
  concealsEnum(name: string): boolean {
    if (this.options.conceals !== true) return false;
    return !this.manifest.data.models.some(({ name: modelName, dataIfValid }) =>
      dataIfValid?.columns.some((column) => column.type === name && this.#showsNamed(modelName, column.name)),
    );
  }

  #showsNamed(modelName: string, columnName: string): boolean {
    try {
      const model = this.manifest.model(modelName);
      const column = model?.column(columnName);
      return model !== undefined && column !== undefined && this.#offers.caller.shows(model, column);
    } catch (error) {
      if (error instanceof PlannerError) return false;
      throw error;
    }
  }

  /** The columns of a stored query that the current reader may know: a restricted one is as unknown as any other name. */
  told<C extends { readonly denial?: unknown }>(columns: readonly C[]): readonly C[] {
    if (this.options.conceals !== true || this.isInView) return columns;
    return columns.filter(({ denial }) => denial === undefined);
  }

  /** A column with a fault of the manifest is found, so that the fault is reported and not taken for a misspelt name. */
  #conceals(model: Model, column: ModelColumn): boolean {
    if (this.options.conceals !== true) return false;
    if (column.kind === "handle") return !this.access.shows(column);
    try {
      return this.#offers.caller.denial(model, column) !== undefined;
    } catch (error) {
      if (error instanceof PlannerError) return !error.reason.startsWith("MANIFEST_");
      throw error;
    }
  }

  /** A printed name that no other common table of the query has: an inner one may shadow an outer one by name only. */
  freeTableName(name: string): string {
    return this.#tableNames.unique(name, "cte");
  }

  /**
   * Columns that a metric offers to the current reader, computed once: metrics of metrics would each ask several times.
   */
  ofMetric(name: string, columns: () => readonly OutputColumn[]): readonly OutputColumn[] {
    const known = this.#ofMetrics[this.#ruled === undefined ? "caller" : "modeller"];
    let offered = known.get(name);
    if (offered === undefined) {
      offered = columns();
      known.set(name, offered);
    }
    return offered;
  }

  /** Columns that models offer to the query being bound. */
  get offer(): ModelOffer {
    return this.#ruled !== undefined ? this.#offers.modeller : this.#offers.caller;
  }

  /**
   * Columns that models offer to members of a cube: all columns, except those that the cube's user may not name
   * (docs/decisions/0045-cubes-in-sql.md#decision).
   */
  get memberOffer(): ModelOffer {
    return this.#ruled !== undefined ? this.#offers.modeller : this.#offers.member;
  }

  /** The model whose rule is being bound, if any. */
  get ruled(): Model | undefined {
    return this.#ruled;
  }

  /**
   * Runs `work` while a rule of `model` is bound: it may read what its user may not
   * (docs/decisions/0016-rules-read-what-callers-may-not.md).
   */
  asRule<T>(model: Model, work: () => T): T {
    const outer = this.#ruled;
    this.#ruled = model;
    try {
      return work();
    } finally {
      this.#ruled = outer;
    }
  }

  /** Runs `work` only for its result: models found on the way do not count as read. */
  discarding<T>(work: () => T): T {
    const before = this.#mark();
    try {
      return work();
    } finally {
      this.#backTo(before);
    }
  }

  /** Runs `work`; if the caller may not name a column that it needs, undoes its effects and returns the error. */
  unlessDenied<T>(work: () => T): T | PlannerError {
    const before = this.#mark();
    try {
      return work();
    } catch (error) {
      if (!(error instanceof PlannerError) || error.reason !== "ACCESS_DENIED") throw error;
      this.#backTo(before);
      return error;
    }
  }

  #mark(): Mark {
    return { joins: this.budget.joins, models: this.models.size, deferred: this.deferred.size };
  }

  #backTo({ joins, models, deferred }: Mark): void {
    this.budget.joins = joins;
    // Maps keep the order in which their keys came.
    for (const key of [...this.models.keys()].slice(models)) this.models.delete(key);
    for (const key of [...this.deferred.keys()].slice(deferred)) this.deferred.delete(key);
  }

  /** Whether text of the manifest is being bound, whose caller may name fewer columns than the text does. */
  get isInView(): boolean {
    return this.#views.length > 0;
  }

  /** The innermost view, metric or model over one whose query is being bound. */
  get innermostView(): string | undefined {
    return this.#views.at(-1);
  }

  /** The span of the caller's name for the manifest text being bound. */
  get place(): Span | undefined {
    return this.#place;
  }

  /** Runs `work` while a view is bound, or what a cube is made of, that the caller names at `use`. */
  inView<T>(view: string, use: Span, work: () => T): T {
    if (this.#views.includes(view)) {
      const cycle = [...this.#views.slice(this.#views.indexOf(view)), view].join(" → ");
      throw new PlannerError("MANIFEST_CYCLE", `found cycle in views: ${cycle}`);
    }
    if (this.#views.length >= MAX_VIEWS) {
      throw new PlannerError("LIMIT_DEPTH", `views are nested over more than ${MAX_VIEWS} steps`);
    }
    const outer = this.#place;
    if (this.#ruled === undefined) this.namedQueries.add(view);
    this.#views.push(view);
    // Views inside views have no position in the caller's SQL: the error refers to the outermost one.
    this.#place ??= use;
    try {
      return this.#asModeller(work);
    } finally {
      this.#views.pop();
      this.#place = outer;
    }
  }

  /**
   * Binds manifest text without spans. If that fails, `placed` binds it again with spans, only to locate the error; the
   * first attempt may have left partial state. Inside such a second attempt there is no first one, which would double
   * the work at every step. Limit errors are not retried, because they have no position.
   */
  bindText<T>(bare: () => T, placed: () => T, owned: (error: PlannerError) => PlannerError): T {
    if (this.#locating) return this.#asModeller(placed);
    try {
      return this.#asModeller(bare);
    } catch (error) {
      if (!(error instanceof PlannerError) || error.reason === "LIMIT_DEPTH") throw error;
      this.#locating = true;
      try {
        this.#asModeller(placed);
      } finally {
        this.#locating = false;
      }
      throw owned(error);
    }
  }

  /**
   * The session's zone. In the manifest and in session values of rules it is UTC: otherwise the caller's zone would change which rows
   * a rule lets through.
   */
  get timeZone(): string {
    return this.#modellers > 0 || this.#isDefining ? "UTC" : this.options.timeZone;
  }

  /** Whether text of the manifest is being bound. */
  get isOfModeller(): boolean {
    return this.#modellers > 0 && !this.#isDefining;
  }

  /** Runs `work` while a definition is bound whose operands are in the session's zone already. */
  asDefinition<T>(work: () => T): T {
    const outer = this.#isDefining;
    this.#isDefining = true;
    try {
      return work();
    } finally {
      this.#isDefining = outer;
    }
  }

  #asModeller<T>(work: () => T): T {
    this.#modellers++;
    try {
      return work();
    } finally {
      this.#modellers--;
    }
  }

  /** Notes that the text at `span` names a member of a cube. */
  namesMember(cube: string, member: string, span: Span): void {
    if (this.#ruled !== undefined) return;
    if (span !== NOWHERE) this.#memberPlaces.push(span);
    const known = this.namedMembers.get(cube);
    if (known === undefined) this.namedMembers.set(cube, new Set([member]));
    else known.add(member);
  }

  /**
   * Whether a refusal of the source is about text of the manifest, or about the caller's text around a member of a cube, whose
   * message may quote both. An error without a span is in text of the manifest: only that has none.
   */
  isOfManifest({ reason, span }: PlannerError): boolean {
    if (reason !== "UNSUPPORTED_ON_SOURCE" && reason !== "NOT_IMPLEMENTED") return false;
    if (span === undefined) return true;
    return this.#memberPlaces.some(({ start, end }) => span.start <= start && end <= span.end);
  }

  /** Runs `work` while the condition of a relationship is bound: its columns may not need that relationship again. */
  inCondition<T>(relationship: string, work: () => T): T {
    if (this.#conditions.includes(relationship)) {
      const cycle = [...this.#conditions, relationship].join(" → ");
      throw new PlannerError("MANIFEST_CYCLE", `conditions of relationships need each other: ${cycle}`);
    }
    if (this.#ruled === undefined) this.followed.add(relationship);
    this.#conditions.push(relationship);
    try {
      return work();
    } finally {
      this.#conditions.pop();
    }
  }

  warn(code: WarningCode, message: string, span: Span, hint?: string): void {
    // Warnings about the modeller's text quote it, and its reader cannot change it.
    if (this.options.conceals === true && this.#modellers > 0) return;
    if (this.warnings.some((known) => known.code === code && known.message === message)) return;
    const place = span === NOWHERE ? this.#place : span;
    this.warnings.push({
      code,
      message,
      ...(place === undefined ? {} : { span: place }),
      ...(hint === undefined ? {} : { hint }),
    });
  }
}

/** A column whose rule cannot be evaluated counts as denied. */
function isAllowed({ denial }: Pick<ModelOffer, "denial">, model: Model, column: ModelColumn): boolean {
  try {
    return denial(model, column) === undefined;
  } catch (error) {
    if (error instanceof PlannerError) return false;
    throw error;
  }
}
