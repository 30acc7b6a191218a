/** Validation rules: questions about a manifest that its data source answers (contract §6). */
import type { PlannerWarning } from "../planner/diagnostics.ts";
import type { DataSource } from "../planner/plan.ts";
import { withCall } from "./call.ts";
import { ServiceError } from "./failure.ts";
import { planStatement } from "./planning.ts";
import type { CallContext, Services } from "./services.ts";

/** In the order the message about an unknown rule lists them. */
const RULES = ["column_is_valid", "relationship_is_valid", "rlac_condition_syntax_is_valid"] as const;

export interface ValidationRequest {
  readonly rule: string;
  readonly source: DataSource;
  readonly manifestStr: string;
  readonly connectionInfo: Readonly<Record<string, unknown>>;
  /** Keys depend on the rule. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ValidationAnswer {
  readonly warnings: readonly PlannerWarning[];
}

/** Resolves when the rule holds. Fails with `ServiceError`; an unknown rule fails before anything is dialled. */
export async function validate(
  services: Services,
  context: CallContext,
  request: ValidationRequest,
): Promise<ValidationAnswer> {
  const rule = RULES.find((name) => name === request.rule);
  switch (rule) {
    case "column_is_valid":
      return columnIsValid(services, context, request);
    case "relationship_is_valid":
    case "rlac_condition_syntax_is_valid":
      throw new ServiceError("NOT_IMPLEMENTED", `The rule ${rule} is not implemented yet.`, { operation: "validate" });
    case undefined: {
      const names = RULES.map((name) => `'${name}'`).join(", ");
      const message = `The rule \`${request.rule}\` is not in the rules, rules: [${names}]`;
      throw new ServiceError("RULE_NOT_FOUND", message, { operation: "validate" });
    }
    default:
      return rule satisfies never;
  }
}

function columnIsValid(
  services: Services,
  context: CallContext,
  request: ValidationRequest,
): Promise<ValidationAnswer> {
  return withCall(services, context, "validate", async (call) => {
    const model = textParameter(request.parameters, "modelName");
    const column = textParameter(request.parameters, "columnName");
    const connection = services.sources.prepare(request.source, request.connectionInfo);
    const planned = await planStatement(services, context, {
      operation: "validate",
      source: request.source,
      sql: `SELECT ${quoted(column)} FROM ${quoted(model)} LIMIT 1`,
      manifestStr: request.manifestStr,
      warnings: connection.warnings,
      ownSql: true,
    });
    call.sends({ planned });
    const connector = await call.open(connection);
    await call.race(connector.dryRun(planned.plan, call.options));
    return { warnings: planned.warnings };
  });
}

function textParameter(parameters: Readonly<Record<string, unknown>>, name: string): string {
  const value = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  if (typeof value === "string" && value !== "") return value;
  const absent = value === undefined || value === null || value === "";
  const message = absent ? `${name} is required` : `${name} must be a string`;
  throw new ServiceError("RULE_PARAMETER", message, { operation: "validate" });
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
