/**
 * Statements that mean the same in a session of any time zone, for services of Trino's SQL whose sessions nobody can set: UTC is
 * written wherever Trino would take the session's zone, and what would become an instant by itself is made one.
 *
 * An instant becomes a timestamp by its text: Athena has refused the cast, and later taken the hands of another clock
 * (https://docs.aws.amazon.com/athena/latest/ug/engine-versions-reference-0003.html, "Timestamp changes").
 */
import { unsupported } from "../../diagnostics.ts";
import { functionName } from "../../functions/calls.ts";
import { call, cast, inPlaceOf, integer, text, typed, withArguments } from "../../syntax/build.ts";
import { transformQuery } from "../../syntax/rewrite.ts";
import type { Call, Case, Cast, Expression, Query, QueryBody, Span } from "../../syntax/tree.ts";
import { type SqlType, TEXT, TIMESTAMP, TIMESTAMPTZ, typeOrUnknown } from "../../types.ts";

export const withWrittenZones = (statement: Query): Query =>
  transformQuery(statement, { expression: written, body: refuseMixedSets });

function written(node: Expression): Expression {
  switch (node.kind) {
    case "cast":
      return writtenCast(node);
    case "call":
      return writtenCall(node);
    case "binary": {
      if (!COMPARISONS.has(node.operator)) return node;
      const [left = node.left, right = node.right] = alike([node.left, node.right]);
      return left === node.left && right === node.right ? node : { ...node, left, right };
    }
    case "between": {
      const [operand = node.operand, low = node.low, high = node.high] = alike([node.operand, node.low, node.high]);
      return { ...node, operand, low, high };
    }
    case "in-list": {
      const [operand = node.operand, ...list] = alike([node.operand, ...node.list]);
      return { ...node, operand, list };
    }
    case "case":
      return writtenCase(node);
    case "array":
      return { ...node, elements: alike(node.elements) };
    case "in-query":
    case "quantified": {
      const operands = node.operand.kind === "row" ? node.operand.elements : [node.operand];
      const columns = node.query === undefined ? [] : typesOf(node.query.body);
      for (const [index, each] of operands.entries()) {
        refuseMixed([typeOrUnknown(each), columns[index]], node.span);
      }
      return node;
    }
    default:
      return node;
  }
}

const COMPARISONS: ReadonlySet<string> = new Set([
  ...["=", "<>", "<", "<=", ">", ">="],
  ...["is distinct from", "is not distinct from"],
]);

function writtenCase(node: Case): Case {
  const { operand, branches, otherwise } = node;
  const results = alike([...branches.map(({ then }) => then), ...(otherwise === undefined ? [] : [otherwise])]);
  const asked = operand === undefined ? undefined : alike([operand, ...branches.map(({ when }) => when)]);
  return {
    ...node,
    operand: asked?.[0],
    branches: branches.map((branch, index) => ({
      when: asked?.[index + 1] ?? branch.when,
      then: results[index] ?? branch.then,
    })),
    otherwise: otherwise === undefined ? undefined : results[branches.length],
  };
}

// ----------------------------------------------------------------------------------------------------- zones in casts

function writtenCast(node: Cast): Expression {
  const { operand, typeName } = node;
  const from = zoneOf(typeOrUnknown(operand));
  if (typeName.dimensions > 0) return node;
  if (typeName.name === "timestamp" && from === "zoned") return handsOfClock(operand, node);
  const isText = typeOrUnknown(operand).kind === "text";
  return typeName.name === "timestamp with time zone" && (from === "unzoned" || isText) ? instant(node) : node;
}

/** The local time in the zone that the expression names, or in UTC; a value with another zone cannot be read. */
function handsOfClock(operand: Expression, at: Expression): Cast {
  const shown = cast(operand, "text", typed(TEXT, operand));
  return cast(
    call("regexp_replace", [shown, text(` ${namedZone(operand) ?? "UTC"}$`, at), text("", at)], typed(TEXT, at)),
    "timestamp",
    inPlaceOf({ span: at.span, type: TIMESTAMP }),
  );
}

function namedZone(instant: Expression): string | undefined {
  if (instant.kind !== "call") return undefined;
  const [moment, zone] = instant.arguments.map(({ value }) => value);
  const name = functionName(instant);
  if (name === "date_add") return moment && namedZone(moment);
  if (name !== "at_timezone" && name !== "with_timezone") return undefined;
  return zone?.kind === "string" ? zone.value : undefined;
}

function instant(node: Cast): Call {
  const hands = { ...cast(node.operand, "timestamp", typed(TIMESTAMP, node)), safe: node.safe };
  return call("with_timezone", [hands, text("UTC", node)], typed(TIMESTAMPTZ, node));
}

// ------------------------------------------------------------------------------------------------------------- clocks

const nowInUtc = (at: Expression): Call =>
  call(
    "at_timezone",
    [call("current_timestamp", [integer(6, at)], typed(TIMESTAMPTZ, at)), text("UTC", at)],
    typed(TIMESTAMPTZ, at),
  );

const ALTERNATIVES: ReadonlySet<string> = new Set([
  ...["coalesce", "nullif", "greatest", "least"],
  ...["greatest of", "least of"],
]);

/** These give one of their values, and compare the others alone. */
const APART: ReadonlySet<string> = new Set(["max_by", "min_by"]);

function writtenCall(node: Call): Expression {
  const name = functionName(node);
  if (name === "current_date") return cast(nowInUtc(node), "date", inPlaceOf(node));
  if (name === "localtimestamp") return handsOfClock(nowInUtc(node), node);
  const given = node.arguments.map(({ value }) => value);
  if (ALTERNATIVES.has(name)) return withArguments(node, alike(given));
  if (!APART.has(name)) {
    refuseMixed(
      given.map((each) => each.type),
      node.span,
    );
  }
  return node;
}

// ---------------------------------------------------------------------------------------- instants beside timestamps

type Zone = "zoned" | "unzoned" | undefined;

/** The zone of a timestamp, or of an array of timestamps. */
function zoneOf(type: SqlType): Zone {
  if (type.kind === "array") return zoneOf(type.element);
  if (type.kind === "timestamp") return type.zoned ? "zoned" : "unzoned";
  return type.kind === "date" ? "unzoned" : undefined;
}

/** Values that are compared, or of which one is taken: all of them instants, where one is. */
function alike(given: readonly Expression[]): readonly Expression[] {
  const types = given.map(typeOrUnknown);
  if (!types.some((type) => type.kind === "timestamp" && type.zoned)) return given;
  return given.map((each, index) => {
    const isUnzoned = types[index]?.kind !== "array" && zoneOf(types[index] ?? TEXT) === "unzoned";
    return isUnzoned ? instant(cast(each, "timestamp with time zone", typed(TIMESTAMPTZ, each))) : each;
  });
}

function refuseMixed(types: readonly (SqlType | undefined)[], span: Span): void {
  const zones = new Set(types.map((type) => type && zoneOf(type)));
  if (!zones.has("zoned") || !zones.has("unzoned")) return;
  throw unsupported("a timestamp without a zone beside one with a zone", span, "Write AT TIME ZONE 'UTC' behind it.");
}

/** Columns of set operations and VALUES are made alike by the engine. */
function refuseMixedSets(body: QueryBody): QueryBody {
  if (body.kind === "set") {
    const [left, right] = [typesOf(body.left), typesOf(body.right)];
    for (const [index, type] of left.entries()) refuseMixed([type, right[index]], body.span);
  }
  if (body.kind === "values") {
    const [first = []] = body.rows;
    for (const [index, { span }] of first.entries()) {
      refuseMixed(
        body.rows.map((row) => row[index]?.type),
        span,
      );
    }
  }
  return body;
}

function typesOf(body: QueryBody): readonly (SqlType | undefined)[] {
  switch (body.kind) {
    case "select":
      return body.items.map((item) => (item.kind === "item" ? item.expression.type : undefined));
    case "set":
      return typesOf(body.left);
    case "nested":
      return typesOf(body.query.body);
    case "values":
      return (body.rows[0] ?? []).map(({ type }) => type);
    default:
      return body satisfies never;
  }
}
