/** Binds function calls: synonyms, the typed catalogue, safety classes, and the rules of aggregates and windows. */
import { isLiteral } from "../access/literals.ts";
import { PlannerError, unsupported } from "../diagnostics.ts";
import { ofEach } from "../functions/aggregates.ts";
import { functionName, isAggregateCall } from "../functions/calls.ts";
import { findForm, findFunction, functionNames, type ListedFunction, type ListedType } from "../functions/catalogue.ts";
import { isPostgresFunction } from "../functions/postgres.ts";
import { POSTGRES_FORMS } from "../functions/postgres-forms.ts";
import { isForbidden } from "../functions/safety.ts";
import { type Accepts, argumentProblem, countProblem, type FunctionSpecification } from "../functions/specification.ts";
import { canonicalCall, usageOf } from "../functions/synonyms.ts";
import { unitOfWord } from "../intervals.ts";
import { nearestNames } from "../suggest.ts";
import { asTypedText } from "../syntax/build.ts";
import type { Call, Expression } from "../syntax/tree.ts";
import {
  BIGINT,
  BOOLEAN,
  DATE,
  DOUBLE,
  describeType,
  familyOf,
  isMadeJson,
  isUnknown,
  type SqlType,
  TEXT,
  TIMESTAMP,
  typeOrUnknown,
  UNKNOWN,
  UUID,
} from "../types.ts";
import { placeAggregate } from "./aggregate-levels.ts";
import { convertArguments, withNumericParts, withTypedLiterals } from "./arguments.ts";
import { bindIn, type ExpressionBinding } from "./binding.ts";
import { typeOf } from "./coercion.ts";
import { bindCondition, bindSortItem, bindWindow } from "./conditions.ts";
import type { BindingContext } from "./context.ts";
import { measureOf } from "./cube-select.ts";
import { aggregateOfMeasure } from "./measure-aggregates.ts";
import { inSessionZone } from "./session-zone.ts";
import { isRandom, isVolatile } from "./volatility.ts";
import { countOfRows, rowAsJson } from "./whole-rows.ts";
import { bindTruncationInZone } from "./zoned-truncation.ts";
import { warnOfManifestZone } from "./zones.ts";

export function bindCall(written: Call, binding: ExpressionBinding): Expression {
  const name = functionName(written);
  const call = countOfRows(written, name, binding) ?? written;
  const measure = measureOf(call, name, binding);
  if (measure !== undefined) return measure;
  const row = rowAsJson(call, name, binding);
  if (row !== undefined) return bindIn(row, binding);
  const canonical = canonicalCall(call, name, formsFor(binding));
  if (canonical.kind !== "call") return bindIn(canonical, binding);
  const canonicalName = canonical === call ? name : functionName(canonical);
  if (canonicalName === "date_trunc" && canonical.arguments.length === 3 && formsFor(binding) === undefined) {
    return bindTruncationInZone(canonical, binding);
  }
  refuseRows(canonical, canonicalName, binding);
  return bindCanonical(canonical, canonicalName, name, binding);
}

/** A call in FROM, where `regexp_matches` has one meaning. */
export function bindTableCall(call: Call, binding: ExpressionBinding): Expression {
  const name = functionName(call);
  const canonical = name === "regexp_matches" ? call : canonicalCall(call, name);
  if (canonical.kind !== "call") return bindIn(canonical, binding);
  return bindCanonical(canonical, functionName(canonical), name, binding);
}

/** The forms of PostgreSQL alone, in a plan for it. */
function formsFor({ binder: { context } }: ExpressionBinding): ReadonlyMap<string, unknown> | undefined {
  return context.options.unlisted.postgres === "pass" ? POSTGRES_FORMS : undefined;
}

function specificationFor(call: Call, name: string, binding: ExpressionBinding): FunctionSpecification | undefined {
  if (formsFor(binding) !== undefined) return findForm(name, call.arguments.length);
  return findFunction(name);
}

/** Clauses that are evaluated per row: set-returning functions are not allowed. */
const OF_EACH_ROW: ReadonlySet<string> = new Set(
  ["WHERE", "HAVING", "QUALIFY", "FILTER", "VALUES", "LIMIT", "OFFSET", "ON", "JOIN … ON"].concat([
    "an aggregate's argument",
    "a window function's argument",
    "a window",
    "WINDOW",
  ]),
);

/** A set-returning function used as a value returns rows of one column; it is allowed only in the select list. */
function refuseRows(call: Call, name: string, binding: ExpressionBinding): void {
  const { clause } = binding;
  const specification = specificationFor(call, name, binding);
  if (specification?.kind !== "table") return;
  const columns = specification.columns?.(call.arguments.map(() => UNKNOWN)) ?? [];
  const isMisplaced = OF_EACH_ROW.has(clause.name);
  if (columns.length < 2 && !isMisplaced) return;
  throw new PlannerError(
    "INVALID_QUERY",
    isMisplaced
      ? `${name} returns rows: it is not allowed in ${clause.name}`
      : `${name} gives ${columns.length} columns`,
    { span: call.span, hint: `Write it in FROM: FROM t, LATERAL ${name}(…) AS e.` },
  );
}

function bindCanonical(call: Call, name: string, written: string, binding: ExpressionBinding): Expression {
  const { clause, findings } = binding;
  const last = name.includes(".") ? name.slice(name.lastIndexOf(".") + 1) : name;
  if (isForbidden(last, binding.binder.context.options.unlisted.forbidden)) {
    throw new PlannerError(
      "FUNCTION_NOT_ALLOWED",
      `function ${written.slice(0, 60)} is not allowed: it reads outside the query, waits, or changes something`,
      { span: call.span, hint: "A query reads models of the manifest, and nothing else." },
    );
  }
  const specification = specificationFor(call, name, binding);
  const isWindow = call.over !== undefined;
  const isAggregate = isAggregateCall(call, specification);
  if (isWindow && !clause.windows) {
    throw new PlannerError("INVALID_QUERY", `a window function is not allowed in ${clause.name}`, {
      span: call.span,
      hint: clause.name === "WHERE" ? "Filter on it with QUALIFY." : "Compute it in a subquery first.",
    });
  }
  if (specification?.kind === "window" && call.withinGroup.length > 0) {
    throw unsupported(`${name}(…) WITHIN GROUP`, call.span, "Count instead: count(*) FILTER (WHERE x < value) + 1.");
  }
  if (specification?.kind === "window" && !isWindow) {
    throw new PlannerError("INVALID_QUERY", `${name} is a window function: it needs OVER (…)`, {
      span: call.span,
      hint: `Write ${name}(…) OVER (ORDER BY x).`,
    });
  }
  if (isWindow && call.orderBy.length > 0) {
    throw new PlannerError("INVALID_QUERY", `ORDER BY is not allowed among the arguments of ${name} with OVER`, {
      span: call.orderBy[0]?.span ?? call.span,
      hint: "Write it in the window: OVER (ORDER BY x).",
    });
  }
  if (call.nulls !== undefined && !isWindow) {
    throw new PlannerError("INVALID_QUERY", "IGNORE NULLS and RESPECT NULLS are allowed in window functions only", {
      span: call.span,
      hint: "Write FILTER (WHERE x IS NOT NULL).",
    });
  }
  if (isRandom(call)) binding.binder.context.drawsByChance = true;
  if (isVolatile(call)) binding.binder.context.dependsOnTime = true;
  if (isWindow) findings.windows = true;
  if (isWindow || call.distinct || call.withinGroup.length > 0 || specification?.kind === "table") {
    binding.binder.context.hasSpecialValues = true;
  }
  const inner: ExpressionBinding = isAggregate
    ? { ...binding, clause: { ...clause, name: "an aggregate's argument", aggregates: false, windows: false } }
    : isWindow
      ? { ...binding, clause: { ...clause, name: "a window function's argument", windows: false } }
      : binding;
  const bound: Call = {
    ...call,
    // A known function gets its canonical name: rewrites match by name, and `pg_catalog.round` or `"ROUND"` would slip
    // past them.
    name: specification === undefined ? call.name : [{ name, quoted: false, span: call.name[0]?.span ?? call.span }],
    arguments: call.arguments.map((argument) => ({ ...argument, value: bindIn(argument.value, inner) })),
    orderBy: call.orderBy.map((item) => bindSortItem(item, inner)),
    withinGroup: call.withinGroup.map((item) => bindSortItem(item, inner)),
    filter: call.filter && bindCondition(call.filter, { ...inner, clause: { ...inner.clause, name: "FILTER" } }),
    over: call.over && bindWindow(call.over, binding),
  };
  if (specification !== undefined) checkShape(bound, name, specification, isAggregate || isWindow);
  const measure = isAggregate ? aggregateOfMeasure(bound, binding) : undefined;
  if (measure !== undefined) return measure;
  const typed =
    specification === undefined
      ? unknownFunction(withTypedTexts(bound), written, binding)
      : typeCall(bound, name, specification, binding);
  const placed = inSessionZone(warnOfManifestZone(typed, binding.binder.context), binding.binder.context);
  if (isMadeJson(typeOrUnknown(placed))) binding.binder.context.makesJson = true;
  if (isAggregate && placed.kind === "call") placeAggregate(placed, binding);
  return placed;
}

/** An unknown function may take any type: a text that the caller cast is sent with its cast. */
function withTypedTexts(call: Call): Call {
  const typed = (value: Expression): Expression =>
    value.kind === "string" && value.isText ? asTypedText(value) : value;
  return {
    ...call,
    arguments: call.arguments.map((argument) => ({ ...argument, value: typed(argument.value) })),
    withinGroup: call.withinGroup.map((item) => ({ ...item, expression: typed(item.expression) })),
  };
}

const MAX_WARNINGS = 100;

function unknownFunction(call: Call, written: string, { binder: { context } }: ExpressionBinding): Call {
  const { unlisted } = context.options;
  const shown = written.slice(0, 60);
  const { span } = call;
  checkSchema(call, written, context);
  const isQualified = call.name.length > 1;
  const listed = isQualified ? undefined : unlisted.pure?.().get(written.toLowerCase());
  if (listed !== undefined) return listedFunction(call, listed);
  if (isPostgresFunction(written) && unlisted.postgres === "refuse") {
    throw unsupported(`the function ${shown}`, span, usageOf(written));
  }
  context.unknownCalls.push({ name: shown, span });
  const mayPass = unlisted.unknown === "pass" || (isQualified && unlisted.ofNamedSchemas === "pass");
  const treatment = mayPass ? context.options.unknownFunctions : "refuse";
  // The warning is limited: a query of ten thousand unknown functions needs no more.
  if (treatment !== "refuse" && context.warnings.length >= MAX_WARNINGS) return { ...call, type: UNKNOWN };
  const suggestions = nearestNames(written, [
    ...functionNames(),
    ...[...(unlisted.pure?.().values() ?? [])].map(({ name }) => name),
  ]);
  const hint = usageOf(written) ?? (suggestions.length > 0 ? `Did you mean ${suggestions.join(" or ")}?` : undefined);
  switch (treatment) {
    case "refuse":
      throw new PlannerError("FUNCTION_NOT_FOUND", `function ${shown} is not known`, {
        span,
        suggestions,
        ...hinted(hint),
      });
    case "warn":
      context.warn(
        "UNKNOWN_FUNCTION",
        `function ${shown} is not known: it is sent to the source as written`,
        span,
        hint,
      );
      break;
    case "allow":
      break;
    default:
      treatment satisfies never;
  }
  return { ...call, type: UNKNOWN };
}

/**
 * A function of the source's own list, which is sent on under the name that the source has for it. It may raise over any value, as
 * every function without an entry in the catalogue may, so a row rule gets the fence of what raises.
 */
function listedFunction(call: Call, { name, type }: ListedFunction): Call {
  if (call.arguments.some((argument) => argument.name !== undefined)) {
    throw new PlannerError("INVALID_QUERY", `${name} takes no named arguments`, { span: call.span });
  }
  const identifier = { name, quoted: false, span: call.name[0]?.span ?? call.span };
  return { ...call, name: [identifier], type: type === "timestamp" ? timestampOf(call) : RESULTS[type] };
}

const RESULTS: Readonly<Record<Exclude<ListedType, "timestamp">, SqlType>> = {
  text: TEXT,
  bigint: BIGINT,
  double: DOUBLE,
  date: DATE,
  uuid: UUID,
  other: UNKNOWN,
};

/** A time zone, or a value that has one, makes another type of it. */
function timestampOf(call: Call): SqlType {
  const [, ...others] = call.arguments;
  const types = call.arguments.map(({ value }) => typeOf(value));
  const isZoned = types.some((type) => type.kind === "timestamp" && type.zoned) || types.some(isUnknown);
  return isZoned || others.some(({ value }) => value.kind === "string") ? UNKNOWN : TIMESTAMP;
}

const hinted = (hint: string | undefined) => (hint === undefined ? {} : { hint });

/** A schema that neither the manifest nor the operator names is none of the caller's: `aws_lambda.invoke`, `duckdb.raw_query`. */
function checkSchema(call: Call, written: string, { manifest, options }: BindingContext): void {
  const [schema, name] = call.name;
  if (schema === undefined || name === undefined || isPostgresFunction(written)) return;
  if (manifest.namesSchema(schema.name)) return;
  const { functionSchemas = [] } = options;
  if (functionSchemas.some((each) => each.toLowerCase() === schema.name.toLowerCase())) return;
  throw new PlannerError(
    "FUNCTION_NOT_ALLOWED",
    `function ${written.slice(0, 60)} is of a schema that neither the manifest nor FUNCTION_SCHEMAS names`,
    {
      span: call.span,
      hint: "Write the function without a schema.",
    },
  );
}

function checkShape(call: Call, name: string, specification: FunctionSpecification, aggregates: boolean): void {
  const invalid = (problem: string, hint?: string): PlannerError =>
    new PlannerError("INVALID_QUERY", `${name} ${problem}`, {
      span: call.span,
      ...(hint === undefined ? {} : { hint }),
    });
  if (call.star && name !== "count") throw invalid("does not take *", "Name a column; only count takes *.");
  if (call.arguments.some((argument) => argument.name !== undefined)) throw invalid("takes no named arguments");
  if (!aggregates || specification.kind === "scalar" || specification.kind === "table") {
    if (call.distinct) throw invalid("takes no DISTINCT: it is not an aggregate");
    if (call.filter !== undefined) throw invalid("takes no FILTER: it is not an aggregate");
    if (call.over !== undefined) throw invalid("takes no OVER: it is no window function");
  }
  const isOrderedSet = specification.orderedSet !== undefined;
  if (call.withinGroup.length > 0 && !isOrderedSet) throw invalid("takes no WITHIN GROUP");
  if (STATEMENT_TIMES.has(name) && call.arguments.some(({ value }) => value.kind !== "number")) {
    throw invalid("takes its number of digits as a number", `Write ${name}(3).`);
  }
  if (isOrderedSet && call.withinGroup.length !== 1) {
    throw invalid("needs WITHIN GROUP (ORDER BY x)", `Write ${name}(…) WITHIN GROUP (ORDER BY x).`);
  }
  if (isOrderedSet && call.over !== undefined) throw invalid("takes no OVER", "Compute it in a subquery.");
}

/** Written without parentheses, or with a literal between them. */
const STATEMENT_TIMES: ReadonlySet<string> = new Set(["current_timestamp", "localtimestamp", "localtime"]);

function typeCall(call: Call, name: string, specification: FunctionSpecification, _binding: ExpressionBinding): Call {
  // Checked first: with too few or too many arguments, nothing can be said about types.
  const counted = call.star ? undefined : countProblem(specification, call.arguments.length);
  if (counted !== undefined) throw new PlannerError("INVALID_QUERY", counted, { span: call.span });
  const converted = withNumericParts(
    withTypedLiterals(convertArguments(call, name, specification), specification),
    specification,
  );
  const types = converted.arguments.map((argument) => typeOf(argument.value));
  const problem = call.star ? undefined : argumentProblem(specification, types);
  if (problem !== undefined) {
    const culprit = converted.arguments[problem.index]?.value;
    const hint = castHint(specification.parameters[Math.min(problem.index, specification.parameters.length - 1)]);
    throw new PlannerError("TYPE_MISMATCH", problem.message, { span: culprit?.span ?? call.span, hint });
  }
  const isPostgresForm = name === "date_trunc" && converted.arguments.length === 3;
  if ((name === "date_trunc" && !isPostgresForm) || name === "date_diff") checkUnit(converted, name);
  if (name === "unnest" || specification.kind === "table") return { ...converted, type: specification.result(types) };
  const [sorted] = converted.withinGroup;
  if (specification.orderedSet === "interpolated" && sorted !== undefined) checkInterpolated(sorted.expression);
  const type: SqlType =
    specification.orderedSet === "chosen" && sorted !== undefined
      ? ofEach(typeOf(sorted.expression))(types)
      : specification.result(types);
  if (name === "sum" || name === "avg") checkSummable(converted, name);
  return { ...withoutConstantOrder(sortedDistinct(converted, specification)), type };
}

/**
 * Distinct values come in their order, as PostgreSQL finds them by sorting; others hash, and give any
 * (docs/decisions/0047-collected-values-have-an-order.md#decision).
 */
function sortedDistinct(call: Call, { collects }: FunctionSpecification): Call {
  const [value] = call.arguments;
  if (!call.distinct || value === undefined || call.orderBy.length > 0 || collects !== true) return call;
  const { span } = value.value;
  return { ...call, orderBy: [{ expression: value.value, direction: "asc", nulls: undefined, span }] };
}

/** Sorting by a constant sorts nothing; DuckDB refuses one that is no number. */
function withoutConstantOrder(call: Call): Call {
  if (!call.orderBy.some(({ expression }) => isLiteral(expression))) return call;
  return { ...call, orderBy: call.orderBy.filter(({ expression }) => !isLiteral(expression)) };
}

/** Between two values that are no numbers each source finds something else, or nothing. */
function checkInterpolated(value: Expression): void {
  const type = typeOf(value);
  if (["number", "any"].includes(familyOf(type))) return;
  throw new PlannerError("TYPE_MISMATCH", `percentile_cont and median are of numbers, not of ${describeType(type)}`, {
    span: value.span,
    hint: "percentile_disc(0.5) WITHIN GROUP (ORDER BY x) returns one of the values.",
  });
}

function castHint(parameter: Accepts | undefined): string {
  switch (parameter) {
    case "text":
    case "bytes":
      return "Write CAST(… AS text).";
    case "number":
    case "numbers":
      return "Write CAST(… AS numeric).";
    case "datetime":
    case "temporal":
      return "Write CAST(… AS date) or CAST(… AS timestamp).";
    default:
      return "Write a CAST.";
  }
}

function checkUnit(call: Call, name: string): void {
  const unit = call.arguments[0]?.value;
  if (
    unit?.kind === "string" &&
    (unitOfWord(unit.value) !== undefined || /^(decade|century|millennium)s?$/i.test(unit.value))
  ) {
    return;
  }
  throw new PlannerError("INVALID_QUERY", `${name} needs a unit as a literal, such as 'month'`, {
    span: unit?.span ?? call.span,
    hint: "Use 'year', 'quarter', 'month', 'week', 'day', 'hour', 'minute' or 'second'.",
  });
}

function checkSummable(call: Call, name: string): void {
  const value = call.arguments[0]?.value;
  if (value === undefined) return;
  const type = typeOf(value);
  const fits =
    type.kind === "integer" ||
    type.kind === "decimal" ||
    type.kind === "float" ||
    type.kind === "interval" ||
    type.kind === "null";
  if (fits || isUnknown(type)) return;
  throw new PlannerError("TYPE_MISMATCH", `${name} takes numbers, not ${type.kind}`, {
    span: value.span,
    hint:
      type.kind === BOOLEAN.kind
        ? `Write count(*) FILTER (WHERE …).`
        : type.kind === TEXT.kind
          ? "Write CAST(… AS numeric)."
          : "Write a CAST.",
  });
}
