/** Validation rules: questions about a manifest that its data source answers (contract §6). */
import { ServiceError } from "./failure.ts";
import type { CallContext, Services } from "./services.ts";
import { columnIsValid } from "./validation/column.ts";
import { relationshipIsValid } from "./validation/relationship.ts";
import { rowConditionIsValid } from "./validation/row-condition.ts";
import type { Rule, ValidationAnswer, ValidationRequest } from "./validation/rule.ts";

/** In the order the message about an unknown rule lists them. */
const RULES: ReadonlyMap<string, Rule> = new Map([
  ["column_is_valid", columnIsValid],
  ["relationship_is_valid", relationshipIsValid],
  ["rlac_condition_syntax_is_valid", rowConditionIsValid],
]);

/** Resolves when the rule holds. Fails with `ServiceError`; an unknown rule fails before anything is dialled. */
export async function validate(
  services: Services,
  context: CallContext,
  request: ValidationRequest,
): Promise<ValidationAnswer> {
  const rule = RULES.get(request.rule);
  if (rule !== undefined) return rule(services, context, request);
  const names = [...RULES.keys()].map((name) => `'${name}'`).join(", ");
  const message = `The rule \`${request.rule}\` is not in the rules, rules: [${names}]`;
  throw new ServiceError("RULE_NOT_FOUND", message, { operation: "validate" });
}
