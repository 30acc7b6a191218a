/** Binds a function in FROM: its columns, their names, and the number of each row. */
import { PlannerError } from "../diagnostics.ts";
import { findForm } from "../functions/catalogue.ts";
import type { TableColumn } from "../functions/specification.ts";
import { exactName } from "../syntax/build.ts";
import type { TableAlias, TableFunction } from "../syntax/tree.ts";
import { BIGINT } from "../types.ts";
import { type Binder, plainBinding } from "./binding.ts";
import { bindTableCall } from "./call.ts";
import { typeOf } from "./coercion.ts";
import { uniqueName } from "./output.ts";
import { UniqueNames } from "./printable-name.ts";
import { ListedRelation } from "./relation.ts";
import type { Scope } from "./scope.ts";

export function bindTableFunction(
  table: TableFunction,
  scope: Scope,
  binder: Binder,
): { readonly table: TableFunction; readonly relation: ListedRelation } {
  const written = table.call.name.map((part) => part.name).join(".");
  const call = bindTableCall(table.call, plainBinding(binder, scope, "a table function"));
  const specification = call.kind === "call" ? findForm(call.name[0]?.name ?? "", call.arguments.length) : undefined;
  if (call.kind !== "call" || specification?.kind !== "table") {
    throw new PlannerError("FUNCTION_NOT_ALLOWED", `${written.slice(0, 60)} is not allowed in FROM`, {
      span: table.call.span,
      hint: "Table functions are unnest, generate_series, json_each, json_array_elements, regexp_split_to_table and their kin.",
    });
  }
  const name = table.alias?.name.name ?? specification.name;
  const relation = new ListedRelation(name, []);
  relation.printedAlias = scope.freeAlias(name);
  const types = call.arguments.map(({ value }) => typeOf(value));
  const given = specification.columns?.(types);
  const columns: TableColumn[] = [...(given ?? [{ name, type: typeOf(call) }])];
  const hasOneValue = columns.length === 1 && !table.ordinality;
  if (table.ordinality) columns.push({ name: "ordinality", type: BIGINT });
  const names = table.alias?.columns ?? [];
  if (names.length > columns.length) {
    throw new PlannerError("INVALID_QUERY", `"${name}" has ${columns.length} column(s)`, { span: table.span });
  }
  const taken = new UniqueNames();
  const listed = columns.map((column, index) => {
    const own = names[index]?.name ?? column.name;
    const isNumber = table.ordinality && index === columns.length - 1;
    return relation.add({
      name: own,
      implicitName: undefined,
      printedName: uniqueName(own, index, taken),
      type: column.type,
      notNull: isNumber || specification.nulls === "never",
      origins: isNumber ? [] : [call],
    });
  });
  if (hasOneValue) relation.value = listed[0];
  const alias: TableAlias = {
    name: exactName(relation.printedAlias, table.span),
    columns: listed.map((column) => exactName(column.printedName, table.span)),
  };
  return { table: { ...table, call, alias }, relation };
}
