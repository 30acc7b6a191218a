/**
 * Times of day for targets without a type for them: a time is the number of its microseconds since midnight. Comparing, grouping and
 * choosing times mean the same over these numbers, and everything else about them is arithmetic in the input language. Nodes keep the
 * type `time`, so a rule of the target that reads types never takes such a number for one of the query's; `connectors/numbered-times.ts`
 * makes times of the numbers in an answer.
 */
import { parseTimeOfDay } from "../../datetimes.ts";
import { unsupported } from "../../diagnostics.ts";
import { functionName } from "../../functions/calls.ts";
import { values } from "../../syntax/build.ts";
import type { Call, Cast, Expression } from "../../syntax/tree.ts";
import { type SqlType, typeOrUnknown } from "../../types.ts";
import { checkedPrecision } from "../texts/text-casts.ts";
import { joinedTimes, partOfTime, textOfTime } from "./time-of-day-parts.ts";
import { type DefinedTime, definedTime, isTime, microsecondsOfClock, NUMBERS, sumOfTime } from "./time-of-day-sums.ts";

/** A target's own ways to the numbers of microseconds. */
export interface NumberedTimes {
  /** The microseconds since midnight of a timestamp. Unset: made of its hour, its minute and its second. */
  readonly ofTimestamp?: (node: Cast) => Expression;
  /** The microseconds since midnight of a text, with an error for one that is no time. */
  readonly ofText: (node: Cast) => Expression;
}

/** Functions that mean the same over the numbers. */
const SAME: ReadonlySet<string> = new Set(
  (
    "count min max any_value lag lead first_value last_value nth_value coalesce ifnull nullif greatest least " +
    "min_by max_by mode percentile_disc"
  ).split(" "),
);

/**
 * The meaning of a node with lowered children over numbers: an expression, SQL that is still to be lowered, or `undefined` for nodes that
 * mean the same over them, and for those without a time. Refuses what nobody has written down.
 */
export function numberedTime(
  node: Expression,
  target: NumberedTimes,
  isRestricted: boolean,
): DefinedTime | Expression | undefined {
  const type = typeOrUnknown(node);
  if (type.kind === "time" && type.zoned) throw unsupported("a time of day with a zone", node.span);
  if (holdsTimes(type)) throw unsupported("an array of times of day", node.span);
  switch (node.kind) {
    case "typed":
      return type.kind === "time" ? literal(node.value, node) : undefined;
    case "cast":
      return ofCast(node, target, isRestricted);
    case "extract":
      return partOfTime(node, NUMBERS);
    case "binary":
      return joinedTimes(node, NUMBERS) ?? sumOfTime(node, NUMBERS);
    case "call":
      return ofCall(node);
    default:
      return undefined;
  }
}

const holdsTimes = (type: SqlType): boolean =>
  type.kind === "array" && (type.element.kind === "time" || holdsTimes(type.element));

/** A cast, because GROUP BY and ORDER BY take a number alone for a place. */
const number = (count: number): string => `CAST(${count} AS bigint)`;

function literal(written: string, node: Expression): DefinedTime {
  const read = parseTimeOfDay(written);
  if (read === undefined) {
    throw unsupported(`'${written.slice(0, 40)}' as a time`, node.span, "Write it as HH:MM:SS.");
  }
  return definedTime(number(microsecondsOf(read.time)), [], node);
}

function microsecondsOf(time: string): number {
  const [hour = "0", minute = "0", second = "0"] = time.split(":");
  const [whole = "0", fraction = ""] = second.split(".");
  const seconds = (Number(hour) * 60 + Number(minute)) * 60 + Number(whole);
  return seconds * 1_000_000 + Number(fraction.padEnd(6, "0"));
}

function ofCast(
  node: Cast,
  { ofTimestamp, ofText }: NumberedTimes,
  isRestricted: boolean,
): DefinedTime | Expression | undefined {
  const { operand } = node;
  if (typeOrUnknown(node).kind !== "time") return textOfTime(node, NUMBERS);
  checkedPrecision(node);
  switch (typeOrUnknown(operand).kind) {
    case "null":
      return definedTime("CAST(NULL AS bigint)", [], node);
    case "time":
      return operand;
    case "timestamp":
      return ofTimestamp?.(node) ?? definedTime(microsecondsOfClock(1), [operand], node);
    case "text":
      if (operand.kind === "string" && !node.safe) return literal(operand.value, node);
      // A text that is no time raises, and one of an excluded row must not.
      if (!isRestricted) return ofText(node);
      throw unsupported("the text of a time of day beside row rules", node.span, "Declare the column as a text.");
    default:
      throw unsupported(`a cast from ${typeOrUnknown(operand).kind} to time`, node.span);
  }
}

function ofCall(node: Call): DefinedTime | undefined {
  const name = functionName(node);
  if (name === "localtime" && node.arguments.length === 0) return definedTime("CAST(now() AS time)", [], node);
  const sorted = node.withinGroup.map(({ expression }) => expression);
  const parts = [...values(node), ...sorted];
  if (!parts.some(isTime) || SAME.has(name) || name === "to_char") return undefined;
  throw unsupported(`${name} of a time of day`, node.span, "Cast it to text, or use a timestamp.");
}
