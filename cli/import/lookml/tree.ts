/** Blocks of LookML that extend and refine each other, and their values as items. */
import type { Step } from "../../project/yaml.ts";
import { Item } from "../item.ts";
import type { BlockNode, LookmlNode } from "./syntax.ts";

/** The block `over` on top of `base`: blocks of one name are merged, everything else of `over` replaces what `base` has. */
export function merged(base: BlockNode, over: BlockNode): BlockNode {
  const members = new Map(base.members);
  for (const [key, value] of over.members) {
    const found = members.get(key);
    members.set(key, found === undefined ? value : together(found, value));
  }
  return { kind: "block", name: base.name, members, at: over.at };
}

function together(base: LookmlNode, over: LookmlNode): LookmlNode {
  if (base.kind !== "list" || over.kind !== "list" || ![...base.elements, ...over.elements].every(isNamed)) return over;
  const elements: LookmlNode[] = [...base.elements];
  const places = new Map(elements.map((each, at) => [nameOf(each), at]));
  for (const element of over.elements) {
    const at = places.get(nameOf(element));
    const found = at === undefined ? undefined : elements[at];
    if (at !== undefined && found?.kind === "block" && element.kind === "block") {
      elements[at] = merged(found, element);
      // A second object of the name stays one, so that it is refused.
      places.delete(nameOf(element));
    } else elements.push(element);
  }
  return { kind: "list", elements, at: over.at };
}

const nameOf = (node: LookmlNode): string | undefined => (node.kind === "block" ? node.name : undefined);
const isNamed = (node: LookmlNode): boolean => nameOf(node) !== undefined;

/** The tree with each text replaced. */
export function withTexts<T extends LookmlNode>(node: T, replace: (text: string) => string): T;
export function withTexts(node: LookmlNode, replace: (text: string) => string): LookmlNode {
  switch (node.kind) {
    case "text":
      return { ...node, text: replace(node.text) };
    case "list":
      return { ...node, elements: node.elements.map((each) => withTexts(each, replace)) };
    case "block":
      return {
        ...node,
        members: new Map([...node.members].map(([key, value]) => [key, withTexts(value, replace)])),
      };
  }
}

export const itemOf = (node: BlockNode): Item =>
  new Item({
    value: plain(node),
    at: (path) => nodeAt(node, path).at,
  });

/** The name of a block is its member `name`. */
function plain(node: LookmlNode): unknown {
  if (node.kind === "text") return node.text;
  if (node.kind === "list") return node.elements.map(plain);
  const members = [...node.members].map(([key, value]) => [key, plain(value)] as const);
  return { ...Object.fromEntries(members), ...(node.name !== undefined && { name: node.name }) };
}

/** The node at a path, or its nearest parent. */
function nodeAt(node: LookmlNode, path: readonly Step[]): LookmlNode {
  let found = node;
  for (const step of path) {
    const next: LookmlNode | undefined =
      found.kind === "block"
        ? found.members.get(String(step))
        : found.kind === "list"
          ? found.elements[Number(step)]
          : undefined;
    if (next === undefined) break;
    found = next;
  }
  return found;
}
