/** Gives common tables printed names that capture no physical table of the statement. */
import type { BindingContext } from "../binding/context.ts";
import { PlannerError } from "../diagnostics.ts";
import type { Model } from "../manifest/model.ts";
import type { SyntaxNode } from "../syntax/walk.ts";
import { aliasesIn } from "./aliases.ts";

/** Without a limit, native SQL that names every new name too would lead to an endless loop. */
const MAX_RENAMINGS = 5000;

/**
 * A common table with the name of an unqualified physical table would capture it, also in native SQL of the modeller: in native
 * SQL any occurrence of the name counts, because its quotes and comments are not parsed. If aliases capture names, pass the
 * statement's nodes as `aliased`: aliases other than the table's own count too.
 */
export function separateCommonTables(
  context: BindingContext,
  models: ReadonlySet<Model>,
  aliased: readonly SyntaxNode[],
): void {
  if (context.commonTableDefinitions.size === 0) return;
  const { tables, native } = physicalNames(models);
  const aliases = aliasesIn(aliased);
  const captures = (name: string): boolean =>
    tables.has(name) || aliases.has(name) || native.some((text) => text.includes(name));
  let renamings = 0;
  for (const table of context.commonTableDefinitions.values()) {
    while (captures(table.printedName.toLowerCase())) {
      renamings++;
      if (renamings > MAX_RENAMINGS) {
        throw new PlannerError("LIMIT_SIZE", `common tables have to be renamed more than ${MAX_RENAMINGS} times`);
      }
      table.printedName = context.freeTableName(`${table.printedName}_cte`);
    }
  }
}

/** Names in the definitions of models, in lower case: unqualified physical tables, and native SQL of the modeller. */
function physicalNames(models: ReadonlySet<Model>): {
  readonly tables: ReadonlySet<string>;
  readonly native: readonly string[];
} {
  const tables = new Set<string>();
  const native = new Set<string>();
  for (const { data } of models) {
    const { tableReference, refSql, columns } = data;
    if (tableReference !== undefined && tableReference.schema === undefined) {
      tables.add(tableReference.table.toLowerCase());
    }
    if (refSql !== undefined) native.add(refSql.toLowerCase());
    for (const { expression, isCalculated } of columns) {
      if (expression !== undefined && !isCalculated) native.add(expression.toLowerCase());
    }
  }
  return { tables, native: [...native] };
}
