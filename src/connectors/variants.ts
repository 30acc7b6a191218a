/** Checks whether the server is one that the statement was planned for. */
import type { Statement, Variant, VariantRange } from "../planner/plan.ts";
import { ConnectorFailure } from "./failure.ts";

/** Whether a server is in the range. */
export function isWithin({ product, version }: Variant, range: VariantRange): boolean {
  if (product !== range.product || compared(version, range.from) < 0) return false;
  return range.below === undefined || compared(version, range.below) < 0;
}

/**
 * Throws `ANOTHER_VARIANT` if the statement was planned for other servers than the actual one; `met` is `undefined` for a server
 * that is none of the products. A statement that was planned for all servers of a source runs on any.
 */
export function checkVariant({ variant }: Pick<Statement, "variant">, met: Variant | undefined): void {
  if (variant === undefined || (met !== undefined && isWithin(met, variant))) return;
  throw new ConnectorFailure("ANOTHER_VARIANT", "The server is not the one that the statement was planned for.", {
    hint: "Servers behind one address have to be of one product and version; after a change send the statement again.",
  });
}

/** Compares component by component; a missing component is 0. */
function compared(a: readonly number[], b: readonly number[]): number {
  for (let part = 0; part < Math.max(a.length, b.length); part++) {
    const difference = (a[part] ?? 0) - (b[part] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
