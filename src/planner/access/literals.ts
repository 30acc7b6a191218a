/** Constants that cannot fail: an engine may compute a constant as late as over the first row that reaches it. */
import type { Expression } from "../syntax/tree.ts";

/** A constant as written, or a number with its sign. */
export function isLiteral(expression: Expression): boolean {
  switch (expression.kind) {
    case "number":
    case "string":
    case "boolean":
    case "null":
    case "typed":
    case "interval":
    case "session":
      return true;
    case "unary":
      return expression.operator === "-" && expression.operand.kind === "number";
    default:
      return false;
  }
}

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,6})?)?$/;

/** Whether every engine can read `type 'text'`: plain dates, times and local timestamps of the years 1 to 9999. */
export function isReadable(type: string, text: string): boolean {
  switch (type) {
    case "date":
      return isDay(text);
    case "time":
      return TIME.test(text);
    case "timestamp": {
      const [day = "", time = "", ...rest] = text.split(" ");
      return isDay(day) && TIME.test(time) && rest.length === 0;
    }
    default:
      return false;
  }
}

function isDay(text: string): boolean {
  const [, year, month, day] = (DAY.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined || year === 0) return false;
  return month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month);
}

function daysOf(year: number, month: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/**
 * Whether LIKE never raises on this pattern: the escape is at most one character, and a character follows each escape
 * in the pattern. PostgreSQL raises on a pattern that ends in its escape only if a text matches everything before it,
 * and its planner tries patterns on sampled values of excluded rows.
 */
export function isWellFormedPattern(pattern: string, escape: string): boolean {
  const characters = [...pattern];
  if ([...escape].length > 1) return false;
  for (let i = 0; i < characters.length; i++) {
    if (escape !== "" && characters[i] === escape && ++i === characters.length) return false;
  }
  return true;
}
