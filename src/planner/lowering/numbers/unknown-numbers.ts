/** Arithmetic for targets where the types of both sides decide the operation. */
import { unsupported } from "../../diagnostics.ts";
import type { Binary } from "../../syntax/tree.ts";
import { isUnknown, typeOrUnknown } from "../../types.ts";

export function refuseUnknown({ left, right, span }: Binary): void {
  if (!isUnknown(typeOrUnknown(left)) && !isUnknown(typeOrUnknown(right))) return;
  const hint = "Write CAST(… AS integer) or CAST(… AS numeric) on both sides.";
  throw unsupported("arithmetic whose types are unknown", span, hint);
}
