/** Validation rules: checks of a manifest and its data source (docs/spec/contract.md#validation-rules). */
import { ServiceError } from "./failure.ts";
import { refuseWarnings } from "./planning.ts";
import type { CallContext, Services } from "./services.ts";
import { columnIsValid } from "./validation/column.ts";
import { manifestIsValid } from "./validation/manifest.ts";
import { unknownParameters } from "./validation/parameters.ts";
import { relationshipIsValid } from "./validation/relationship.ts";
import { rowConditionIsValid } from "./validation/row-condition.ts";
import type { Rule, ValidationAnswer, ValidationRequest } from "./validation/rule.ts";

const RULES: ReadonlyMap<string, Rule> = new Map([
  ["column_is_valid", columnIsValid],
  ["relationship_is_valid", relationshipIsValid],
  ["rlac_condition_syntax_is_valid", rowConditionIsValid],
  ["manifest_is_valid", manifestIsValid],
]);

const PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  column_is_valid: ["modelName", "columnName"],
  relationship_is_valid: ["relationshipName"],
  rlac_condition_syntax_is_valid: ["modelName", "requiredProperties", "condition"],
  manifest_is_valid: [],
};

/**
 * Existing clients compare the message about an unknown rule exactly, and it lists these rules
 * (docs/spec/contract.md#validation-rules).
 */
const TOLD = ["column_is_valid", "relationship_is_valid", "rlac_condition_syntax_is_valid"] as const;

/** Resolves when the rule holds. Throws `ServiceError`; an unknown rule fails before anything is dialled. */
export async function validate(
  services: Services,
  context: CallContext,
  request: ValidationRequest,
): Promise<ValidationAnswer> {
  const rule = RULES.get(request.rule);
  if (rule !== undefined) {
    const unknown = unknownParameters(request.parameters, PARAMETERS[request.rule] ?? []);
    if (context.strict) refuseWarnings(unknown, "validate", undefined);
    const { warnings } = await rule(services, context, request);
    return { warnings: [...unknown, ...warnings] };
  }
  const names = TOLD.map((name) => `'${name}'`).join(", ");
  const message = `The rule \`${request.rule}\` is not in the rules, rules: [${names}]`;
  throw new ServiceError("RULE_NOT_FOUND", message, {
    operation: "validate",
    metadata: { hint: `The rules are ${[...RULES.keys()].join(", ")}.` },
  });
}
