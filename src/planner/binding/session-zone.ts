/**
 * One clock: what PostgreSQL computes by the session's `TimeZone`, with the caller's zone written into the expression
 * (docs/decisions/0011-time-zones.md). Text of the manifest is bound in UTC, and sessions at the source are in UTC.
 */
import { unsupported } from "../diagnostics.ts";
import { functionName } from "../functions/calls.ts";
import { findFunction } from "../functions/catalogue.ts";
import { POSTGRES_FORMS } from "../functions/postgres-forms.ts";
import { intervalParts } from "../intervals.ts";
import {
  binary,
  call,
  cast,
  inPlaceOf,
  integer,
  interval,
  text,
  typed,
  values,
  withArguments,
} from "../syntax/build.ts";
import { isComparison } from "../syntax/comparisons.ts";
import { NOWHERE } from "../syntax/spans.ts";
import type { Binary, Call, Cast, Expression, Extract, IntervalLiteral, Span, Window } from "../syntax/tree.ts";
import { DATE, INTEGER, isUnknown, type SqlType, TIMESTAMP, TIMESTAMPTZ, typeOrUnknown } from "../types.ts";
import type { BindingContext } from "./context.ts";
import { isOfDays, isOfSeconds, truncatedInZone } from "./zoned-truncation.ts";
import { Clock, isInstant, isInstantType, isLocalTime, isLocalTimeType } from "./zoned-values.ts";

/** The bound node as it means in the session's zone. Aggregates stay calls of their function. */
export function inSessionZone(node: Expression, context: BindingContext): Expression {
  const { timeZone } = context;
  if (timeZone === "UTC") return node;
  const placed = new Placing(new Clock(timeZone), context).expression(node);
  return placed === node ? node : { ...placed, span: node.span };
}

/** The operand of a comparison with a subquery's column of a type. */
export function besideColumn(operand: Expression, column: SqlType, context: BindingContext): Expression {
  if (context.timeZone === "UTC") return operand;
  if (isInstantType(column) && isLocalTime(operand)) return new Clock(context.timeZone).instant(operand);
  refuseMixedTimes([operand.type, column], operand.span, context);
  return operand;
}

/** Refuses columns that an engine would convert between instants and local times by itself. */
export function refuseMixedTimes(types: readonly (SqlType | undefined)[], span: Span, context: BindingContext): void {
  if (context.timeZone === "UTC" || !areMixed(types)) return;
  throw unsupported(
    "a column of instants beside one of local times in another session zone than UTC",
    span,
    "Write CAST(… AS timestamp with time zone) around the local time.",
  );
}

/** Refuses distances of days and months between instants, which depend on changes of clocks. */
export function refuseDistances({ frame, orderBy }: Window, context: BindingContext): void {
  if (context.timeZone === "UTC" || frame?.unit !== "range" || !orderBy.some((key) => isInstant(key.expression)))
    return;
  for (const bound of [frame.start, frame.end]) {
    if (bound === undefined || !("offset" in bound) || isOfTimeOnly(bound.offset)) continue;
    throw unsupported(
      "a RANGE frame of days or months over instants in another session zone than UTC",
      bound.offset.span,
      "Write the distance in hours, or order by a local time.",
    );
  }
}

/** Rows are compared value by value. */
function refuseMixedRows(types: readonly SqlType[], span: Span | undefined, context: BindingContext): void {
  const rows = types.flatMap((type) => (type.kind === "row" ? [type.fields] : []));
  for (const index of rows[0]?.keys() ?? []) {
    refuseMixedTimes(
      rows.map((fields) => fields[index]?.type),
      span ?? NOWHERE,
      context,
    );
  }
}

const areMixed = (types: readonly (SqlType | undefined)[]): boolean =>
  types.some(isInstantType) && types.some(isLocalTimeType);

/** Functions that give or compare values, and look at no clock. */
const CLOCKLESS: ReadonlySet<string> = new Set(
  [
    "num_nulls num_nonnulls isfinite count min max any_value array_agg max_by min_by mode percentile_disc grouping",
    "approx_count_distinct first_value last_value nth_value cardinality array_length array_upper array_lower unnest",
    "date_bin",
  ]
    .join(" ")
    .split(" "),
);

/** All of their arguments have one type. */
const ALTERNATIVES: ReadonlySet<string> = new Set(["coalesce", "greatest", "least", "nullif"]);
const OF_ARRAYS: ReadonlySet<string> = new Set(
  "array_contains contains array_position array_append array_cat array_prepend array_remove array_replace".split(" "),
);
const AS_JSON: ReadonlySet<string> = new Set(
  [
    "to_json to_jsonb json_build_object jsonb_build_object json_build_array jsonb_build_array json_agg jsonb_agg",
    "json_object_agg jsonb_object_agg",
  ]
    .join(" ")
    .split(" "),
);

class Placing {
  readonly #clock: Clock;
  readonly #context: BindingContext;

  constructor(clock: Clock, context: BindingContext) {
    this.#clock = clock;
    this.#context = context;
  }

  expression(node: Expression): Expression {
    switch (node.kind) {
      case "cast":
        return this.#cast(node);
      case "extract":
        return this.#extract(node);
      case "binary":
        return this.#binary(node);
      case "between": {
        const [operand = node.operand, low = node.low, high = node.high] = this.#alike([
          node.operand,
          node.low,
          node.high,
        ]);
        return { ...node, operand, low, high };
      }
      case "in-list": {
        const [operand = node.operand, ...list] = this.#alike([node.operand, ...node.list]);
        return { ...node, operand, list };
      }
      case "quantified":
        if (node.array !== undefined) this.#refuseMixedArrays([node.operand, node.array], node);
        return node;
      case "case":
        return this.#case(node);
      case "array":
        return areMixed(node.elements.map(({ type }) => type))
          ? { ...node, elements: this.#alike(node.elements) }
          : node;
      case "at-time-zone": {
        // A day begins in the session's zone.
        if (typeOrUnknown(node.operand).kind !== "date") return node;
        return { ...node, operand: this.#clock.instant(node.operand) };
      }
      case "call":
        return this.#call(node);
      default:
        return node;
    }
  }

  #refuse(
    what: string,
    { span }: { readonly span: Span },
    hint = `Write x AT TIME ZONE '${this.#clock.zone}'.`,
  ): Error {
    return unsupported(`${what} in another session zone than UTC`, span, hint);
  }

  /** All of them instants, where one is. */
  #alike(given: readonly Expression[]): readonly Expression[] {
    const types = given.map(typeOrUnknown);
    refuseMixedRows(types, given[0]?.span, this.#context);
    if (!types.some(isInstantType)) return given;
    return given.map((each) => (isLocalTime(each) ? this.#clock.instant(each) : each));
  }

  #case(node: Expression & { readonly kind: "case" }): Expression {
    const { operand, branches, otherwise } = node;
    const results = this.#alike([...branches.map(({ then }) => then), ...(otherwise === undefined ? [] : [otherwise])]);
    const asked = operand === undefined ? [] : this.#alike([operand, ...branches.map(({ when }) => when)]);
    return {
      ...node,
      operand: operand && asked[0],
      branches: branches.map((branch, index) => ({
        when: asked[index + 1] ?? branch.when,
        then: results[index] ?? branch.then,
      })),
      otherwise: otherwise && results[branches.length],
    };
  }

  // -------------------------------------------------------------------------------------------------------- casts

  #cast(node: Cast): Expression {
    const { operand } = node;
    const [from, to] = [typeOrUnknown(operand), typeOrUnknown(node)];
    if (isInstantType(from)) {
      if (to.kind === "text") return { ...node, operand: this.#clock.text(operand) };
      if (isLocalTimeType(to) || (to.kind === "time" && !to.zoned))
        return { ...node, operand: this.#clock.local(operand) };
      if (to.kind === "time") throw this.#refuse("the time of day with its zone", node);
      return node;
    }
    if (isInstantType(to)) {
      if (isLocalTimeType(from)) return { ...node, operand: this.#clock.instant(operand) };
      if (from.kind === "text")
        throw this.#refuse(
          "a text that is read as an instant",
          node,
          "Cast it to a timestamp first: x::timestamp::timestamptz.",
        );
      if (isUnknown(from)) this.#warn(node);
      return node;
    }
    const isMade = holdsInstants(to) && !holdsInstants(from) && !holdsNothing(from);
    if (!isMade && (!holdsInstants(from) || holdsInstants(to))) return node;
    throw this.#refuse("a cast of arrays or rows of instants", node, "Cast each of their values.");
  }

  /** A value of an unknown type may be an instant. */
  #warn({ span }: { readonly span: Span }): void {
    if (this.#context.warnings.some(({ code }) => code === "TIME_ZONE_MIXED")) return;
    const { zone } = this.#clock;
    this.#context.warn(
      "TIME_ZONE_MIXED",
      `the source computes this in UTC, while the statement is in ${zone}`,
      span,
      `Write x AT TIME ZONE '${zone}' around the value.`,
    );
  }

  /** Instants that binding cast to texts. */
  #withTexts(given: readonly Expression[]): readonly Expression[] {
    return given.map((each) => (each.kind === "cast" && isInstant(each.operand) ? this.#cast(each) : each));
  }

  // -------------------------------------------------------------------------------------------------------- fields

  #extract(node: Extract): Expression {
    const { operand, field } = node;
    if (!isInstant(operand) || field === "epoch") return node;
    const ahead = (): Expression => this.#clock.secondsAhead(operand);
    const part = typed(INTEGER, node);
    switch (field) {
      case "timezone":
        return { ...ahead(), type: typeOrUnknown(node) };
      case "timezone_hour":
        return { ...binary(ahead(), "/", integer(3600, node), part), type: typeOrUnknown(node) };
      case "timezone_minute": {
        const minutes = binary(ahead(), "/", integer(60, node), part);
        return { ...binary(minutes, "%", integer(60, node), part), type: typeOrUnknown(node) };
      }
      default:
        return { ...node, operand: this.#clock.local(operand) };
    }
  }

  // ----------------------------------------------------------------------------------------------------- operators

  #binary(node: Binary): Expression {
    const { left, right, operator } = node;
    if (isComparison(operator)) {
      if (left.kind === "row" && right.kind === "row") return this.#rows(node);
      const [a = left, b = right] = this.#alike([left, right]);
      return a === left && b === right ? node : { ...node, left: a, right: b };
    }
    switch (operator) {
      case "+":
      case "-":
        return this.#arithmetic(node);
      case "||": {
        const [a = left, b = right] = this.#withTexts([left, right]);
        if (typeOrUnknown(node).kind === "array") this.#refuseMixedArrays([left, right], node);
        return a === left && b === right ? node : { ...node, left: a, right: b };
      }
      case "overlaps":
        return this.#overlaps(node);
      default:
        return node;
    }
  }

  #rows(node: Binary): Expression {
    const { left, right } = node;
    if (left.kind !== "row" || right.kind !== "row") return node;
    const pairs = left.elements.map((each, index) => this.#alike([each, right.elements[index] ?? each]));
    return {
      ...node,
      left: { ...left, elements: pairs.map(([a], index) => a ?? left.elements[index] ?? left) },
      right: { ...right, elements: pairs.map(([, b], index) => b ?? right.elements[index] ?? right) },
    };
  }

  #overlaps(node: Binary): Expression {
    const { left, right } = node;
    if (left.kind !== "row" || right.kind !== "row") return node;
    const all = [...left.elements, ...right.elements];
    if (!all.some(isInstant)) return node;
    const length = all.find((each) => typeOrUnknown(each).kind === "interval" && !isOfTimeOnly(each));
    if (length !== undefined) throw this.#refuse("OVERLAPS of instants and days", length, "Write both ends.");
    const [a, b, c, d] = this.#alike(all);
    if (!a || !b || !c || !d) return node;
    return { ...node, left: { ...left, elements: [a, b] }, right: { ...right, elements: [c, d] } };
  }

  #arithmetic(node: Binary): Expression {
    const { left, right } = node;
    if (node.operator === "+" && isInstant(right)) return this.#shifted(right, left, node);
    if (!isInstant(left) && !isInstant(right)) return node;
    if (isLocalTime(left) || isLocalTime(right)) {
      const [a = left, b = right] = this.#alike([left, right]);
      return { ...node, left: a, right: b };
    }
    return isInstant(left) ? this.#shifted(left, right, node) : node;
  }

  /** Months are added to the local time, then days, each of which PostgreSQL takes back to an instant; hours to the instant. */
  #shifted(instant: Expression, distance: Expression, node: Binary): Expression {
    if (typeOrUnknown(distance).kind !== "interval" || isOfTimeOnly(distance)) return node;
    const { operator } = node;
    const { span } = node;
    const clock = this.#clock;
    const moved = (from: Expression, by: Expression): Expression =>
      clock.instant(binary(clock.local(from), operator, by, { span, type: TIMESTAMP }));
    if (distance.kind === "interval") {
      const parts = intervalParts(distance);
      if (parts === undefined) {
        const isWhole = ["integer", "null"].includes(typeOrUnknown(distance.value).kind);
        if (isWhole) return moved(instant, distance);
      } else {
        const { months, days, microseconds } = parts;
        const part = (words: string): Expression => interval(words, distance);
        const byMonths = months === 0 ? instant : moved(instant, part(`${months} months`));
        const byDays = days === 0 ? byMonths : moved(byMonths, part(`${days} days`));
        if (microseconds === 0n) return byDays;
        return binary(byDays, operator, part(`${microseconds} microseconds`), { span, type: TIMESTAMPTZ });
      }
    }
    if (isWholeUnits(distance)) return moved(instant, distance);
    throw this.#refuse(
      "an instant and a computed interval",
      distance,
      "Write a number times INTERVAL '1 day' or INTERVAL '1 hour'.",
    );
  }

  #refuseMixedArrays(given: readonly Expression[], node: Expression): void {
    const elements = given.map((each) => {
      const type = typeOrUnknown(each);
      return type.kind === "array" ? type.element : type;
    });
    refuseMixedTimes(elements, node.span, this.#context);
  }

  // ----------------------------------------------------------------------------------------------------- functions

  #call(node: Call): Expression {
    const name = functionName(node);
    const given = values(node);
    switch (name) {
      case "current_date":
        return cast(this.#clock.local(call("now", [], typed(TIMESTAMPTZ, node))), "date", typed(DATE, node));
      case "localtimestamp":
      case "localtime": {
        const now = this.#clock.local(call("current_timestamp", given, typed(TIMESTAMPTZ, node)));
        return name === "localtimestamp" ? now : cast(now, "time", inPlaceOf(node));
      }
      case "to_timestamp":
        return given.length === 2 ? this.#readTime(node, given) : node;
      case "age":
        return this.#age(node, given);
      case "generate_series":
        return this.#series(node, given);
      case "date_bin":
        return this.#withArguments(node, this.#alike(given));
      case "make_timestamptz":
      case "timeofday":
        if (given.length < 7) throw this.#refuse(name, node, "Write make_timestamp(…) AT TIME ZONE.");
        return node;
      default:
        break;
    }
    const texts = this.#withTexts(given);
    const withTexts = this.#withArguments(node, texts);
    const [unit, value, zone] = texts;
    if (name === "date_trunc" && unit && value && zone && isLocalTime(value)) {
      return this.#withArguments(node, [unit, this.#clock.instant(value), zone]);
    }
    if (!texts.some((each) => holdsInstants(typeOrUnknown(each)))) return withTexts;
    return this.#overInstants(withTexts, name, texts);
  }

  #withArguments(node: Call, given: readonly Expression[]): Call {
    return given.every((each, index) => each === node.arguments[index]?.value) ? node : withArguments(node, given);
  }

  #overInstants(node: Call, name: string, given: readonly Expression[]): Expression {
    if (ALTERNATIVES.has(name)) return this.#withArguments(node, this.#alike(given));
    const [first, second, third] = given;
    if (CLOCKLESS.has(name) || first === undefined) return node;
    switch (name) {
      case "lag":
      case "lead": {
        const [value = first, otherwise] = this.#alike(third === undefined ? [first] : [first, third]);
        return this.#withArguments(node, [value, ...(second ? [second] : []), ...(otherwise ? [otherwise] : [])]);
      }
      case "date_trunc":
        return third === undefined && second !== undefined ? this.#truncated(node, first, second) : node;
      case "to_char":
        return this.#withArguments(node, [this.#clock.local(first), ...this.#format(second)]);
      case "last_day":
        return this.#withArguments(node, [this.#clock.local(first)]);
      case "date_diff":
        return this.#difference(node, given);
      default:
        break;
    }
    if (AS_JSON.has(name) && !given.some((each) => !isInstant(each) && holdsInstants(typeOrUnknown(each)))) {
      return this.#withArguments(
        node,
        given.map((each) => (isInstant(each) ? this.#clock.jsonText(each) : each)),
      );
    }
    if (OF_ARRAYS.has(name)) {
      this.#refuseMixedArrays(given, node);
      return node;
    }
    if (findFunction(name) !== undefined || POSTGRES_FORMS.has(name)) throw this.#refuse(`${name} of instants`, node);
    this.#warn(node);
    return node;
  }

  #format(format: Expression | undefined): readonly Expression[] {
    const isPlain = format?.kind === "string" && !/tz|of/i.test(format.value.replaceAll(/"[^"]*"/g, ""));
    if (format !== undefined && isPlain) return [format];
    throw this.#refuse(
      "a format that may show the zone",
      format ?? { span: NOWHERE },
      "Write a literal format without TZ and OF.",
    );
  }

  #truncated(node: Call, unit: Expression, value: Expression): Expression {
    if (isOfSeconds(unit)) return node;
    const clock = this.#clock;
    const isNative = this.#context.options.unlisted.postgres === "pass" && clock.isNamed;
    return isNative ? withArguments(node, [unit, value, clock.name(node)]) : truncatedInZone(node, unit, value, clock);
  }

  /** Boundaries of days and longer units are those of the zone; of shorter ones those of UTC. */
  #difference(node: Call, [unit, from, to]: readonly Expression[]): Expression {
    if (unit === undefined || from === undefined || to === undefined) return node;
    if (!isOfDays(unit)) return this.#withArguments(node, [unit, ...this.#alike([from, to])]);
    const local = (each: Expression): Expression => (isInstant(each) ? this.#clock.local(each) : each);
    return this.#withArguments(node, [unit, local(from), local(to)]);
  }

  /** The fields of both local times; without a second one from the beginning of the current day. */
  #age(node: Call, [first, second]: readonly Expression[]): Expression {
    if (first === undefined) return node;
    const local = (each: Expression): Expression => (isInstant(each) ? this.#clock.local(each) : each);
    const today = (): Expression =>
      cast(this.#call(call("current_date", [], typed(DATE, node))), "timestamp", typed(TIMESTAMP, node));
    return this.#withArguments(node, second === undefined ? [today(), local(first)] : [local(first), local(second)]);
  }

  /** A text read by a format has no zone of its own, unless the format has one. */
  #readTime(node: Call, [, format]: readonly Expression[]): Expression {
    this.#format(format);
    const inUtc: Expression = {
      kind: "at-time-zone",
      operand: node,
      zone: text("UTC", node),
      span: node.span,
      type: TIMESTAMP,
    };
    return this.#clock.instant(inUtc);
  }

  #series(node: Call, [from, to, step]: readonly Expression[]): Expression {
    if (from === undefined || to === undefined || (!isInstant(from) && !isInstant(to))) return node;
    const bounds = this.#alike([from, to]);
    if (step !== undefined && !isOfTimeOnly(step)) {
      const hint = `Make a series of dates or timestamps, and write AT TIME ZONE '${this.#clock.zone}' behind its column.`;
      throw this.#refuse("a series of instants by days or months", step, hint);
    }
    return this.#withArguments(node, step === undefined ? bounds : [...bounds, step]);
  }
}

/** Whether an interval has neither days nor months. */
function isOfTimeOnly(node: Expression): boolean {
  if (node.kind === "interval") {
    const parts = intervalParts(node);
    if (parts !== undefined) return parts.months === 0 && parts.days === 0;
    return /^(?:hour|minute|second|millisecond|microsecond)$/.test(node.unit ?? "day");
  }
  const unit = factorOf(node);
  return unit !== undefined && isOfTimeOnly(unit);
}

/** A whole number of days, or of months. */
function isWholeUnits(node: Expression): boolean {
  const unit = factorOf(node);
  const parts = unit && intervalParts(unit);
  if (parts === undefined || parts.microseconds !== 0n || (parts.months !== 0 && parts.days !== 0)) return false;
  if (node.kind !== "binary") return false;
  const factor = node.left === unit ? node.right : node.left;
  return typeOrUnknown(factor).kind === "integer";
}

/** The interval that a number multiplies. */
function factorOf(node: Expression): IntervalLiteral | undefined {
  if (node.kind !== "binary" || node.operator !== "*") return undefined;
  return [node.left, node.right].find((each): each is IntervalLiteral => each.kind === "interval");
}

function holdsInstants(type: SqlType): boolean {
  if (type.kind === "array") return holdsInstants(type.element);
  if (type.kind === "row") return type.fields.some((field) => holdsInstants(field.type));
  return isInstantType(type);
}

/** An array without elements, or of NULLs. */
function holdsNothing(type: SqlType): boolean {
  return type.kind === "array" ? holdsNothing(type.element) : type.kind === "null";
}
