/** Bytes to text and text to bytes, for engines with `to_base64`, `from_base64` and `from_hex`. */
import { unsupported } from "../../diagnostics.ts";
import { call, inPlaceOf, text, typed, values } from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { TEXT } from "../../types.ts";

interface Encoding {
  readonly bytes: (value: Expression) => Expression;
  readonly hex: (value: Expression, at: Expression) => Expression;
  /** The reference to a pattern's first group in the replacement text. */
  readonly firstGroup: string;
}

/** PostgreSQL breaks base64 into lines of 76 characters. */
export const encodedBy =
  ({ bytes, hex, firstGroup }: Encoding) =>
  (node: Call): Expression => {
    const [value, name] = formatOf(node, "encode to this");
    if (name === "hex") return hex(bytes(value), node);
    const found = call("to_base64", [bytes(value)], typed(TEXT, node));
    const lines = [found, text("(.{76})", node), text(`${firstGroup}\n`, node)];
    return call("regexp_replace", lines, inPlaceOf(node));
  };

export function decoded(node: Call): Expression {
  const [value, name] = formatOf(node, "decode of this");
  return call(name === "hex" ? "from_hex" : "from_base64", [value], inPlaceOf(node));
}

function formatOf(node: Call, refused: string): readonly [value: Expression, name: "hex" | "base64"] {
  const [value, format] = values(node);
  const name = format?.kind === "string" ? format.value.toLowerCase() : undefined;
  if (value === undefined || (name !== "hex" && name !== "base64")) {
    throw unsupported(refused, node.span, "Use 'base64' or 'hex'.");
  }
  return [value, name];
}
