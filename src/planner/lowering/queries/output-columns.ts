/** What the columns of a body are called where a query around it names them. */
import type { Expression, QueryBody, Select, SelectExpression } from "../../syntax/tree.ts";
import type { SqlType } from "../../types.ts";

export interface NamedColumn {
  readonly name: string;
  readonly type: SqlType | undefined;
}

/** The columns of a bound or lowered body; none where one has no name. */
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

/** What a column of a SELECT is called, where it has a name by itself. */
export const outputName = ({ alias, expression }: SelectExpression): string | undefined =>
  alias?.name ?? ownName(expression);

function ownName(expression: Expression): string | undefined {
  if (expression.kind === "bound") return expression.column.printedName;
  return expression.kind === "column" ? expression.parts.at(-1)?.name : undefined;
}
