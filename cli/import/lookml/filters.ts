/** Filter expressions of Looker as conditions in the SQL of the source. Relative dates and patterns that are not listed are refused. */
import type { Item } from "../item.ts";
import { Unmapped } from "../sql-text.ts";
import { type Fields, literal } from "./fields.ts";

/** Throws `Unmapped`. */
export function conditionsOf(measure: Item, fields: Fields): readonly string[] {
  return measure.items("filters").flatMap((each) => {
    const [field, value] = [each.text("field"), each.text("value")];
    if (field !== undefined) return conditionOf(field, value ?? "", fields);
    // The older form is a block with one field and its value.
    throw new Unmapped("A filter has no field.");
  });
}

function conditionOf(name: string, value: string, fields: Fields): string {
  const own = fields.own(name.split("."));
  const field = own === undefined ? undefined : fields.field(own);
  if (own === undefined || field === undefined) {
    throw new Unmapped(`The filter reads ${name}, which is no dimension of the view.`);
  }
  if (/\{\{|\{%|@\{|\$\{/.test(value)) throw new Unmapped("A filter with a template is not evaluated.");
  const sql = `(${fields.sqlOf(own)})`;
  const isGroup = fields.view.items("dimension_group").some((group) => group.text("name") === field.name);
  const type = isGroup ? "date" : (field.item.text("type") ?? "string");
  const text = value.trim();
  if (text === "") throw new Unmapped("An empty filter holds for every row on Looker.");
  switch (type) {
    case "yesno":
      if (/^yes$/i.test(text)) return sql;
      if (/^no$/i.test(text)) return `NOT COALESCE(${sql}, FALSE)`;
      throw new Unmapped(`The filter ${text} is neither yes nor no.`);
    case "number":
    case "int":
      return numberCondition(sql, text);
    case "string":
    case "zipcode":
    case "tier":
      return textCondition(sql, text);
    default:
      return nullCondition(sql, text);
  }
}

function nullCondition(sql: string, text: string): string {
  if (/^null$/i.test(text)) return `${sql} IS NULL`;
  if (/^(?:not null|-null)$/i.test(text)) return `${sql} IS NOT NULL`;
  throw new Unmapped(`The filter ${text.slice(0, 60)} depends on the day of the question, or is not read.`);
}

const NUMBER = String.raw`-?\d+(?:\.\d+)?`;

function numberCondition(sql: string, text: string): string {
  if (/null/i.test(text)) return nullCondition(sql, text);
  const [, operator, number] = new RegExp(`^(>=|<=|>|<|=|<>|!=|not)\\s*(${NUMBER})$`, "i").exec(text) ?? [];
  if (operator !== undefined && number !== undefined) {
    const isOther = ["<>", "!=", "not"].includes(operator.toLowerCase());
    return isOther ? `(${sql} <> ${number} OR ${sql} IS NULL)` : `${sql} ${operator} ${number}`;
  }
  const list = text.split(",").map((each) => each.trim());
  if (list.every((each) => new RegExp(`^${NUMBER}$`).test(each))) return `${sql} IN (${list.join(", ")})`;
  throw new Unmapped(`The filter ${text.slice(0, 60)} over a number is not read.`);
}

function textCondition(sql: string, text: string): string {
  if (/^-?(?:null|empty)$/i.test(text)) {
    if (/empty/i.test(text)) throw new Unmapped("The filter EMPTY is not read.");
    return nullCondition(sql, text);
  }
  if (/["^\\]/.test(text))
    throw new Unmapped(`The filter ${text.slice(0, 60)} holds a character that Looker reads as a sign.`);
  const values = text.split(",").map((each) => each.trim());
  if (values.some((each) => each === "" || /^-?(?:null|empty)$/i.test(each))) {
    throw new Unmapped(`The filter ${text.slice(0, 60)} is not read.`);
  }
  const negative = values.filter((each) => each.startsWith("-")).map((each) => each.slice(1));
  const positive = values.filter((each) => !each.startsWith("-"));
  if (values.some((each) => each.includes("%"))) {
    const [only] = positive;
    if (values.length > 1 || only === undefined || only.includes("_")) {
      throw new Unmapped(`The filter ${text.slice(0, 60)} is not read.`);
    }
    return `${sql} LIKE ${literal(only)}`;
  }
  const inside = positive.length > 0 ? `${sql} IN (${positive.map(literal).join(", ")})` : undefined;
  const outside =
    negative.length > 0 ? `(${sql} NOT IN (${negative.map(literal).join(", ")}) OR ${sql} IS NULL)` : undefined;
  if (inside !== undefined && outside !== undefined)
    throw new Unmapped("A filter that includes and excludes is not read.");
  return inside ?? outside ?? sql;
}
