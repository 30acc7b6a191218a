/** The last steps of a statement. One walk finds what they are about; most statements have nothing of it and stay as they are. */
import type { Query } from "../../syntax/tree.ts";
import { walk } from "../../syntax/walk.ts";
import { mayBeBits, withBitsAsNumbers } from "./bits.ts";
import { withDerivedLimits } from "./limited-subqueries.ts";
import { isRowsOfDocument, withAskedDocuments } from "./quirks/document-conditions.ts";
import { withSignedMembers } from "./quirks/unsigned-members.ts";

export function finished(statement: Query): Query {
  const held = { members: false, bits: false, documents: false };
  walk(statement, (node) => {
    if (node.kind === "in-query" || node.kind === "quantified") held.members = true;
    else if (node.kind === "function") held.documents ||= isRowsOfDocument(node);
    else if (node.kind === "bound" || node.kind === "column" || node.kind === "opaque") held.bits ||= mayBeBits(node);
    return true;
  });
  const signed = held.members ? withSignedMembers(statement) : statement;
  const numbered = held.bits ? withBitsAsNumbers(signed) : signed;
  const limited = held.members ? withDerivedLimits(numbered) : numbered;
  return held.documents ? withAskedDocuments(limited) : limited;
}
