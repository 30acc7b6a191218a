/** Creates the context of a planning run: binding, with the types that only expansion knows. */
import type { AccessOptions } from "../access/policy.ts";
import { BindingContext, type BindingOptions } from "../binding/context.ts";
import type { Manifest } from "../manifest/manifest.ts";
import { denialByBase } from "./base-denial.ts";
import { typeOfColumn, typeOfPath } from "./calculated.ts";

export function planningContext(
  manifest: Manifest,
  options: BindingOptions,
  access: Pick<AccessOptions, "session" | "accessControl">,
): BindingContext {
  return new BindingContext(manifest, options, { typeOfColumn, typeOfPath, denialByBase }, access);
}
