/** `rlac_condition_syntax_is_valid`: the condition is valid in a row rule. The source is not contacted. */

import type { RuleProperty } from "../../planner/index.ts";
import { prepareConnection } from "../connections.ts";
import { ServiceError } from "../failure.ts";
import { refuseWarnings } from "../planning.ts";
import { toServiceError } from "../translate.ts";
import { parameterOf, type RuleParameters, required, textParameter, wrongParameter } from "./parameters.ts";
import { manifestOf, type Rule } from "./rule.ts";

/** Parameters: `modelName`, `requiredProperties` (`[{name, required, defaultExpr?}]`), `condition`. */
export const rowConditionIsValid: Rule = async (services, context, request) => {
  const modelName = textParameter(request.parameters, "modelName");
  const properties = propertiesOf(request.parameters);
  const condition = textParameter(request.parameters, "condition");
  try {
    const connection = prepareConnection(services, context, request.source, request.connectionInfo);
    const manifest = manifestOf(services, request);
    const remarks = services.planner.manifestRemarks(manifest, request.source);
    if (!remarks.ok) throw remarks.error;
    const warnings = [...connection.warnings, ...remarks.value];
    if (context.strict) refuseWarnings(warnings, "validate", undefined);
    const model = manifest.model(modelName);
    if (model === undefined) throw wrongParameter(`Model ${modelName} not found in manifest`);
    const { limits } = services.planOptions;
    const checked = services.planner.checkOfRowCondition({ manifest, model, condition, properties, limits });
    if (checked.ok) return { warnings };
    const { message, metadata } = toServiceError(checked.error, { operation: "validate", sql: condition });
    throw new ServiceError("RULE_VIOLATED", message, { operation: "validate", metadata, cause: checked.error });
  } catch (error) {
    throw toServiceError(error, { operation: "validate" });
  }
};

function propertiesOf(parameters: RuleParameters): readonly RuleProperty[] {
  const value = parameterOf(parameters, "requiredProperties");
  if (value === undefined) throw required("requiredProperties");
  if (!Array.isArray(value)) throw wrongParameter(SHAPE);
  return value.map((property: unknown) => {
    if (typeof property !== "object" || property === null) throw wrongParameter(SHAPE);
    const fields = property as RuleParameters;
    const unknown = Object.keys(fields).find((name) => !PROPERTY_MEMBERS.includes(name));
    if (unknown !== undefined) throw wrongParameter(`${SHAPE}, and without ${unknown.slice(0, 100)}`);
    const name = parameterOf(fields, "name");
    const isRequired = parameterOf(fields, "required") ?? false;
    const defaultExpr = parameterOf(fields, "defaultExpr") ?? "";
    if (typeof name !== "string" || name === "" || typeof defaultExpr !== "string") throw wrongParameter(SHAPE);
    // Existing clients also send it as text.
    if (typeof isRequired !== "boolean" && typeof isRequired !== "string") throw wrongParameter(SHAPE);
    return { name, defaultExpr: defaultExpr === "" ? undefined : defaultExpr };
  });
}

/** Also the optional members that a manifest may contain. */
const PROPERTY_MEMBERS: readonly string[] = ["name", "required", "defaultExpr", "description", "properties"];

const SHAPE = "requiredProperties must be a list of objects with name, required and defaultExpr";
