/** Input and result of every validation rule. */
import type { PlannerWarning } from "../../planner/diagnostics.ts";
import type { Manifest } from "../../planner/index.ts";
import type { DataSource } from "../../planner/plan.ts";
import type { CallContext, Services } from "../services.ts";
import { toServiceError } from "../translate.ts";
import type { RuleParameters } from "./parameters.ts";

export interface ValidationRequest {
  readonly rule: string;
  readonly source: DataSource;
  readonly manifestStr: string;
  readonly connectionInfo: Readonly<Record<string, unknown>>;
  /** The keys depend on the rule. */
  readonly parameters: RuleParameters;
}

export interface ValidationAnswer {
  readonly warnings: readonly PlannerWarning[];
}

/** Resolves when the rule holds. Throws `ServiceError`. */
export type Rule = (services: Services, context: CallContext, request: ValidationRequest) => Promise<ValidationAnswer>;

export function manifestOf(services: Services, { manifestStr }: ValidationRequest): Manifest {
  const loaded = services.manifests.get(manifestStr);
  if (!loaded.ok) throw toServiceError(loaded.error, { operation: "validate" });
  return loaded.value;
}
