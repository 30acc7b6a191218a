/**
 * Columns as trees, with the levels that define which parts are present: lists and maps in the form of the specification
 * (https://github.com/apache/parquet-format/blob/master/LogicalTypes.md#nested-types), structs, and values.
 */
import type { ArrowField, ArrowType } from "../../../../result/encode/arrow/types.ts";
import { sqlIdentifier } from "../../../duckdb/sql-text.ts";
import { Beyond } from "../../beyond.ts";
import type { Struct } from "../compact-protocol.ts";
import { bytesOf, integerOf, type TopColumn } from "../footer.ts";
import { type LeafType, leafType } from "./leaf-type.ts";

/** `present`: the minimum definition level of a value that is not NULL. */
export type Node = LeafNode | StructNode | ListNode;

export interface LeafNode {
  readonly kind: "leaf";
  readonly present: number;
  readonly type: LeafType;
  readonly leaf: Leaf;
}

export interface StructNode {
  readonly kind: "struct";
  readonly present: number;
  readonly members: readonly { readonly name: string; readonly node: Node }[];
  readonly leaf: Leaf;
}

/**
 * A map is a list of structs with two members. A repeated element outside of a list or a map is a list that is never NULL.
 */
export interface ListNode {
  readonly kind: "list" | "map";
  readonly present: number;
  /** The minimum definition level of a list with an element, and the number of repeated nodes down to this one. */
  readonly filled: number;
  readonly repeats: number;
  readonly element: Node;
  readonly leaf: Leaf;
}

/** A column of values in the file. */
export interface Leaf {
  /** The top-level column that it belongs to. */
  readonly column: string;
  /** Index among all leaves of the file. */
  readonly index: number;
  readonly element: Struct;
  readonly type: LeafType;
  readonly maxDefinition: number;
  readonly maxRepetition: number;
}

export interface Column {
  readonly name: string;
  readonly node: Node;
  readonly leaves: readonly Leaf[];
  readonly field: ArrowField;
  /** The type's text in `CREATE TABLE`. */
  readonly sql: string;
}

/** Throws `Beyond` for unsupported types. */
export function columnOf({ name, elements, firstLeaf }: TopColumn): Column {
  const leaves: Leaf[] = [];
  let at = 0;
  const beyond = () => new Beyond(`the type of its column "${name}"`);

  const read = (definition: number, repetition: number, role: Role): { readonly name: string; readonly node: Node } => {
    const element = elements[at++];
    if (element === undefined || elements.length > 200) throw beyond();
    const repeated = Number(integerOf(element, 3) ?? 0n);
    const isRepeated = role !== "member";
    if (repeated === 2 && !isRepeated) {
      at--;
      const first = leaves.length;
      const { name: own, node: one } = read(definition + 1, repetition + 1, "element");
      const leaf = leaves[first] ?? never(beyond);
      const levels = { present: definition, filled: definition + 1, repeats: repetition + 1 };
      return { name: own, node: { kind: "list", ...levels, element: one, leaf } };
    }
    if ((repeated === 2) !== isRepeated) throw beyond();
    const present = repeated === 1 ? definition + 1 : definition;
    const own = new TextDecoder().decode(bytesOf(element, 4));
    const children = Number(integerOf(element, 5) ?? 0n);
    const first = leaves.length;
    const leafHere = (): Leaf => leaves[first] ?? never(beyond);
    if (children === 0) {
      const type = element.has(1) ? leafType(element) : undefined;
      if (type === undefined || role === "map" || present > 100) throw beyond();
      const leaf = {
        column: name,
        index: firstLeaf + leaves.length,
        element,
        type,
        maxDefinition: present,
        maxRepetition: repetition,
      };
      leaves.push(leaf);
      return { name: own, node: { kind: "leaf", present, type, leaf } };
    }
    const converted = integerOf(element, 6);
    if (!isRepeated && (converted === LIST || converted === MAP)) {
      if (children !== 1) throw beyond();
      const kind = converted === LIST ? "list" : "map";
      const { node } = read(present + 1, repetition + 1, kind);
      const list = {
        kind,
        present,
        filled: present + 1,
        repeats: repetition + 1,
        element: node,
        leaf: leafHere(),
      } as const;
      return { name: own, node: list };
    }
    // The repeated group in a list or a map has an arbitrary name. With one member it is the list's element, as DuckDB reads it.
    if (role === "list" && children === 1) {
      if (element.has(6) || element.has(10)) throw beyond();
      return read(definition, repetition, "member");
    }
    if (role === "map" ? children !== 2 : element.has(6) || element.has(10)) throw beyond();
    const members = Array.from({ length: children }, () => read(present, repetition, "member"));
    const names = members.map((member) => member.name.toLowerCase());
    if (new Set(names).size < names.length || names.includes("")) throw beyond();
    return { name: own, node: { kind: "struct", present, members, leaf: leafHere() } };
  };

  const { node } = read(0, 0, "member");
  return { name, node, leaves, field: fieldOf(name, node), sql: sqlOf(node) };
}

/** The role of an element: the repeated element of a list or a map, a repeated element by itself, or any other. */
type Role = "member" | "list" | "map" | "element";

const MAP = 1n;
const LIST = 3n;

function never(fault: () => Error): never {
  throw fault();
}

function fieldOf(name: string, node: Node, nullable = true): ArrowField {
  return { name, type: arrowOf(node), nullable, textOf: undefined };
}

function arrowOf(node: Node): ArrowType {
  switch (node.kind) {
    case "leaf":
      return node.type.arrow;
    case "struct":
      return { kind: "struct", fields: node.members.map(({ name, node: of }) => fieldOf(name, of)) };
    case "list":
      return { kind: "list", element: fieldOf("item", node.element) };
    case "map":
      return { kind: "map", entries: entriesOf(node.element) };
    default:
      return node satisfies never;
  }
}

/** Keys are never NULL, whatever the file declares. */
function entriesOf(node: Node): ArrowField {
  const members = node.kind === "struct" ? node.members : [];
  const fields = members.map(({ node: of }, i) => fieldOf(i === 0 ? "key" : "value", of, i > 0));
  return { name: "entries", type: { kind: "struct", fields }, nullable: false, textOf: undefined };
}

function sqlOf(node: Node): string {
  switch (node.kind) {
    case "leaf":
      return node.type.sql;
    case "struct":
      return `STRUCT(${node.members.map(({ name, node: of }) => `${sqlIdentifier(name)} ${sqlOf(of)}`).join(", ")})`;
    case "list":
      return `${sqlOf(node.element)}[]`;
    case "map": {
      const [key, value] = node.element.kind === "struct" ? node.element.members.map(({ node: of }) => sqlOf(of)) : [];
      return `MAP(${key}, ${value})`;
    }
    default:
      return node satisfies never;
  }
}
