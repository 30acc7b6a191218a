/** The names of a body's columns for the query around it. */
import { exactName } from "../../syntax/build.ts";
import type { Expression, QueryBody, Select, SelectExpression } from "../../syntax/tree.ts";
import type { SqlType } from "../../types.ts";

export interface NamedColumn {
  readonly name: string;
  readonly type: SqlType | undefined;
}

/** The columns of a bound or lowered body; none if a column has no name. */
export function outputColumnsOf(body: QueryBody): readonly NamedColumn[] {
  switch (body.kind) {
    case "select":
      return columnsOfSelect(body);
    case "set":
      return outputColumnsOf(body.left);
    case "nested":
      return outputColumnsOf(body.query.body);
    case "values":
      return (body.rows[0] ?? []).map(({ type }, index) => ({ name: `column${index + 1}`, type }));
    default:
      return body satisfies never;
  }
}

function columnsOfSelect({ items }: Select): readonly NamedColumn[] {
  const columns = items.map((item): NamedColumn | undefined => {
    if (item.kind === "star") return undefined;
    const name = outputName(item);
    return name === undefined ? undefined : { name, type: item.expression.type };
  });
  return columns.every((each) => each !== undefined) ? columns : [];
}

const outputName = ({ alias, expression }: SelectExpression): string | undefined => alias?.name ?? ownName(expression);

/** Replaces an item's expression and keeps its name: an expression over a column has no name by itself. */
export function replaced(item: SelectExpression, expression: Expression): SelectExpression {
  const name = outputName(item);
  return { ...item, alias: name === undefined ? undefined : exactName(name, item.span), expression };
}

function ownName(expression: Expression): string | undefined {
  if (expression.kind === "bound") return expression.column.printedName;
  return expression.kind === "column" ? expression.parts.at(-1)?.name : undefined;
}
