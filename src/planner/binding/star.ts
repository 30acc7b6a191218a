/** `*` and `t.*` with EXCEPT, REPLACE and RENAME, expanded to columns. */
import { namedAt, PlannerError } from "../diagnostics.ts";
import { MAX_COLUMNS } from "../limits.ts";
import { nearestNames } from "../suggest.ts";
import { exactName } from "../syntax/build.ts";
import type { Expression, Identifier, Span, Star } from "../syntax/tree.ts";
import type { BindingOptions } from "./context.ts";
import type { NamedItem } from "./output.ts";
import type { Relation, RelationColumn } from "./relation.ts";
import { columnExpression, markUsed, type Scope } from "./scope.ts";

/** `nameOf` receives the bound expression, unless it is restricted. */
export type BindItem = (
  written: Expression,
  nameOf: (bound: Expression | undefined) => string | undefined,
) => NamedItem;

export function expandStar(
  star: Star,
  scope: Scope,
  stars: BindingOptions["stars"],
  bindItem: BindItem,
): readonly NamedItem[] {
  const columns = namedAt(star.span, () => starColumns(star, scope, stars));
  const taken = new Set<string>();
  const find = (name: Identifier): string => {
    const match =
      columns.find((column) => column.name === name.name) ??
      (name.quoted ? undefined : columns.find((column) => column.name.toLowerCase() === name.name.toLowerCase()));
    if (match === undefined) {
      const suggestions = nearestNames(
        name.name,
        columns.map((column) => column.name),
      );
      throw new PlannerError("COLUMN_NOT_FOUND", `column "${name.name}" is not among those of *`, {
        span: name.span,
        suggestions,
        ...(suggestions.length > 0 ? { hint: `Did you mean "${suggestions[0]}"?` } : {}),
      });
    }
    taken.add(match.name);
    return match.name;
  };
  const except = new Set(star.except.map(find));
  const replace = new Map(star.replace.map((each) => [find(each.name), each.expression]));
  const rename = new Map(star.rename.map((each) => [find(each.from), each.to.name]));
  return columns
    .filter((column) => !except.has(column.name))
    .map((column) => {
      const replacement = replace.get(column.name);
      const name = rename.get(column.name) ?? column.name;
      if (replacement !== undefined) return bindItem(replacement, () => name);
      const bound = column.expression();
      markUsed(bound);
      const written: Expression = { kind: "column", parts: [exactName(column.name, star.span)], span: star.span };
      return { written, bound, name };
    });
}

/** Before more of them are made. */
export function tooManyColumns(span: Span): PlannerError {
  return new PlannerError("LIMIT_SIZE", `the select list has more than ${MAX_COLUMNS} columns`, {
    span,
    hint: "Name the columns that are wanted.",
  });
}

interface StarColumn {
  readonly name: string;
  /** Made for the columns that stay: those that EXCEPT takes out may be broken. */
  readonly expression: () => Expression;
}

/** `*` gives merged columns first, then every relation's others; `t.*` every column of `t`. */
function starColumns(star: Star, scope: Scope, stars: BindingOptions["stars"]): readonly StarColumn[] {
  const named = (column: RelationColumn): StarColumn => ({
    name: column.name,
    expression: () => columnExpression(column, star.span),
  });
  const most = MAX_COLUMNS + star.except.length;
  let count = 0;
  const offered = (relation: Relation): readonly RelationColumn[] => {
    const columns =
      stars === "every column"
        ? relation.columns(most)
        : relation.columns().filter(({ modelColumn }) => modelColumn?.kind !== "calculated");
    count += columns.length;
    if (count > most) throw tooManyColumns(star.span);
    return columns;
  };
  if (star.qualifier.length > 0) return offered(scope.starRelation(star.qualifier, star.span)).map(named);
  const { relations, merged } = scope.namespace;
  if (relations.length === 0) {
    throw new PlannerError("INVALID_QUERY", "SELECT * needs a FROM", { span: star.span });
  }
  const hidden = (column: RelationColumn): boolean => merged.some((each) => each.hides.has(column));
  return [
    ...merged.map(
      (each): StarColumn => ({ name: each.name, expression: () => ({ ...each.expression, span: star.span }) }),
    ),
    ...relations.flatMap((relation) =>
      offered(relation)
        .filter((column) => !hidden(column))
        .map(named),
    ),
  ];
}
