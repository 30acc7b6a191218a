/**
 * PostgreSQL's names for expressions without alias (`FigureColname` of its parser): a column, function or subquery
 * gives its name to the expression around it, a type or CASE only if there is no other. ORDER BY, GROUP BY and outer
 * queries use them; the caller sees the expression (docs/decisions/0003-names-of-columns.md).
 */
import type { Expression, QueryBody, SelectItem, TypeName } from "../syntax/tree.ts";
import { typeOfName } from "../types.ts";

interface Name {
  readonly name: string;
  /** Gives way to a name from outside: `abs(x)::text` is `abs`, `(x + 1)::text` is `text`. */
  readonly weak: boolean;
}

/** `undefined` for what PostgreSQL calls `?column?`. */
export function implicitName(expression: Expression): string | undefined {
  return nameOf(expression)?.name;
}

const strong = (name: string | undefined): Name | undefined => (name === undefined ? undefined : { name, weak: false });

function nameOf(expression: Expression): Name | undefined {
  switch (expression.kind) {
    case "column":
      return strong(expression.parts.at(-1)?.name);
    case "bound":
      return strong(expression.column.printedName);
    case "subscript":
    case "slice":
    case "collate":
      return nameOf(expression.operand);
    case "field":
      return strong(expression.field.name);
    case "call":
      return strong(expression.name.at(-1)?.name.toLowerCase());
    case "cast": {
      const inner = nameOf(expression.operand);
      return inner !== undefined && !inner.weak ? inner : { name: internalName(expression.typeName), weak: true };
    }
    case "typed":
      return { name: internalName(expression.typeName), weak: true };
    case "interval":
      return { name: "interval", weak: true };
    case "case": {
      const otherwise = expression.otherwise && nameOf(expression.otherwise);
      return otherwise !== undefined && !otherwise.weak ? otherwise : { name: "case", weak: true };
    }
    case "scalar-query":
      return strong(firstName(expression.query.body));
    case "extract":
      return strong("extract");
    case "at-time-zone":
      return strong("timezone");
    case "array":
    case "array-query":
      return strong("array");
    case "exists":
      return strong("exists");
    case "row":
      return strong("row");
    case "number":
    case "string":
    case "boolean":
    case "null":
    case "bits":
    case "session":
    case "opaque":
    case "spelled":
    case "unary":
    case "binary":
    case "logical":
    case "is":
    case "like":
    case "between":
    case "in-list":
    case "in-query":
    case "quantified":
      return undefined;
    default:
      return expression satisfies never;
  }
}

/** Name of a query of one column; the name behind a star is not known yet. */
function firstName(body: QueryBody): string | undefined {
  switch (body.kind) {
    case "select":
      return itemName(body.items[0]);
    case "values":
      return "column1";
    case "set":
      return firstName(body.left);
    case "nested":
      return firstName(body.query.body);
    default:
      return body satisfies never;
  }
}

function itemName(item: SelectItem | undefined): string | undefined {
  return item?.kind === "item" ? (item.alias?.name ?? implicitName(item.expression)) : undefined;
}

/** A type's name in PostgreSQL's catalogue: what its grammar calls `integer` is `int4`. Arrays have their element's. */
function internalName(written: TypeName): string {
  const type = typeOfName({ ...written, dimensions: 0 });
  switch (type.kind) {
    case "boolean":
      return "bool";
    case "integer":
      return type.bits === 64 ? "int8" : type.bits === 32 ? "int4" : "int2";
    case "decimal":
      return "numeric";
    case "float":
      return type.bits === 64 ? "float8" : "float4";
    case "text":
      if (/^n?char$|^character$|^bpchar$/.test(written.name)) return "bpchar";
      return /var/.test(written.name) ? "varchar" : "text";
    case "time":
      return type.zoned ? "timetz" : "time";
    case "timestamp":
      return type.zoned ? "timestamptz" : "timestamp";
    case "binary":
      return "bytea";
    case "json":
      return written.name === "jsonb" ? "jsonb" : "json";
    case "date":
    case "interval":
    case "uuid":
      return type.kind;
    case "array":
    case "row":
    case "null":
    case "opaque":
      return written.name;
    default:
      return type satisfies never;
  }
}
