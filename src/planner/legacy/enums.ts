/** Enums of old manifests (docs/spec/planner.md#enums-and-macros): `Status.OPEN` is replaced by the member's literal. */

import { PlannerError } from "../diagnostics.ts";
import { nearestNames } from "../suggest.ts";
import type { Expression, Identifier, Span } from "../syntax/tree.ts";
import { TEXT } from "../types.ts";

export interface EnumData {
  readonly name: string;
  /** `value` is the name where it is absent. */
  readonly values: readonly { readonly name: string; readonly value: string | undefined }[];
}

/** The value of `enum.member`; names are compared exactly. `undefined` if there is no such enum. */
export function enumValue(
  parts: readonly Identifier[],
  span: Span,
  enums: ReadonlyMap<string, EnumData>,
): Expression | undefined {
  const [owner, member, ...rest] = parts;
  const data = owner === undefined ? undefined : enums.get(owner.name);
  if (data === undefined || owner === undefined || member === undefined || rest.length > 0) return undefined;
  const found = data.values.find(({ name }) => name === member.name);
  if (found !== undefined) return { kind: "string", value: found.value ?? found.name, type: TEXT, span };
  const names = data.values.map(({ name }) => name);
  const suggestions = nearestNames(member.name, names);
  throw new PlannerError("ENUM_VALUE_NOT_FOUND", `Enum value '${member.name}' not found in enum '${owner.name}'`, {
    span,
    suggestions,
    hint: `Its values are ${names.slice(0, 20).join(", ")}.`,
  });
}
