/** Functions in FROM that give rows of JSON: elements of an array, and keys and members of an object. Anything else raises in PostgreSQL. */
import { unsupported } from "../../diagnostics.ts";
import type { TableExpression, TableFunction } from "../../syntax/tree.ts";
import { UNSUPPORTED } from "../templates/unsupported.ts";

type Rows = (table: TableFunction) => TableExpression;

/** A target's rows. NULL has none. */
export interface JsonRows {
  readonly elements: Rows;
  /** The texts of `->>`, or errors. */
  readonly elementTexts: Rows;
  readonly keys: Rows;
  readonly members: Rows;
  readonly memberTexts: Rows;
}

export const NO_ARRAY = "The elements of json that is no array";
export const NO_OBJECT = "The members of json that is no object";

/** For a target that gives only a part of these rows. */
export const noRows: Rows = ({ span }) => {
  throw unsupported(UNSUPPORTED.jsonRows.refused, span);
};

/** The rules by the names of the functions. PostgreSQL's order of members is refused: each engine has its own. */
export function jsonRows({ elements, elementTexts, keys, members, memberTexts }: JsonRows): readonly [string, Rows][] {
  const rules: Readonly<Record<string, Rows>> = {
    array_elements: elements,
    array_elements_text: elementTexts,
    object_keys: inAnyOrder(keys),
    each: inAnyOrder(members),
    each_text: inAnyOrder(memberTexts),
  };
  return Object.entries(rules).flatMap(([name, rows]): [string, Rows][] => [
    [`json_${name}`, rows],
    [`jsonb_${name}`, rows],
  ]);
}

const inAnyOrder =
  (rows: Rows): Rows =>
  (table) => {
    if (!table.ordinality) return rows(table);
    throw unsupported("the order of the members of json", table.span, "Leave WITH ORDINALITY out.");
  };
