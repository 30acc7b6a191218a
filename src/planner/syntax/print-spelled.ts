/** Prints `spelled` nodes: the text of a template with its parts. */
import { unsupported } from "../diagnostics.ts";
import type { Printer } from "./printer.ts";
import { transformExpression } from "./rewrite.ts";
import type { TemplatePiece } from "./template.ts";
import type { Expression, Spelled } from "./tree.ts";

/** Prints the node; `printPart` may replace the text of a part that stands at its own place. */
export function printSpelled(
  printer: Printer,
  { template, parts, span }: Spelled,
  printPart: (part: Expression, place: number) => boolean = () => false,
): void {
  if (template.unsupported !== undefined) {
    throw unsupported(template.unsupported.refused, span, template.unsupported.hint);
  }
  if (template.tree !== undefined) {
    printer.expression(withParts(template.tree, parts));
    return;
  }
  for (const piece of template.pieces) printPiece(printer, piece, parts, printPart);
}

function printPiece(
  printer: Printer,
  piece: TemplatePiece,
  parts: readonly Expression[],
  printPart: (part: Expression, place: number) => boolean,
): void {
  if (typeof piece === "string") {
    printer.write(piece);
    return;
  }
  if (piece.part === "all") {
    printer.expressions(parts);
    return;
  }
  const part = parts[piece.part];
  if (part === undefined) throw new TypeError(`a template has no part ${piece.part + 1}`);
  if (!printPart(part, piece.part)) printer.expression(part, piece.level);
}

/** The tree of a template with the parts in their places. */
const withParts = (tree: Expression, parts: readonly Expression[]): Expression =>
  transformExpression(tree, {
    expression: (node) => {
      const place = node.kind === "column" ? partOf(node.parts[0]?.name ?? "") : undefined;
      if (place === undefined) return node;
      const part = parts[place];
      if (part === undefined) throw new TypeError(`a template has no part ${place + 1}`);
      return part;
    },
  });

/** The place, from 0, that the column `$1` of a template's tree stands for. */
export const partOf = (name: string): number | undefined =>
  name.length === 2 && /^\$\d$/.test(name) ? Number(name.slice(1)) - 1 : undefined;
