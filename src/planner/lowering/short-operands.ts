/** Operands that a template of a target may repeat where no form is known there that binds them once. */
import type { Expression } from "../syntax/tree.ts";
import { walk } from "../syntax/walk.ts";

const MOST_NODES = 60;

/** Few nodes, and none that repeats its own parts. */
export function isShortOperand(operand: Expression): boolean {
  let nodes = 0;
  let isShort = true;
  walk(operand, (node) => {
    nodes++;
    if (nodes > MOST_NODES || (node.kind === "spelled" && node.template.repeated.length > 0)) isShort = false;
    return isShort;
  });
  return isShort;
}
