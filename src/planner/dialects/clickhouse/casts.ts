/**
 * Casts. ClickHouse's own cut digits off and wrap around: CAST(300 AS Int8) is 44. What may not fit goes by `accurateCast`, which
 * fails, and what is rounded is rounded first. Seen on ClickHouse 26.7.
 */
import { type Casts, castSayings } from "../../lowering/casts.ts";
import { unsupported } from "../../lowering/target.ts";
import { call, cases, cast, inPlaceOf, integer, not, text } from "../../syntax/build.ts";
import type { Cast, Expression } from "../../syntax/tree.ts";
import { typeOrUnknown } from "../../types.ts";
import { checked, PRECISION, scaleOf } from "./numbers.ts";
import { textOf } from "./texts.ts";

const NO_TYPE = { refused: "a cast to this type" };

export const clickHouseCasts = (): Casts =>
  castSayings({
    text: {
      null: plain,
      boolean: word,
      "text integer uuid date": whole,
    },
    integer: { null: plain, integer: toInteger, decimal: rounded, boolean: (node) => checked(node.operand, node) },
    decimal: { null: ofDecimal, "integer decimal": toDecimal },
    float: { null: plain, "integer decimal float": plain },
    boolean: { null: plain, boolean: (node) => node.operand },
    date: { null: plain, "date timestamp": plain },
    timestamp: { null: plain, "date timestamp": toTimestamp },
    uuid: { null: plain, uuid: (node) => node.operand },
    time: NO_TYPE,
    binary: NO_TYPE,
    json: NO_TYPE,
    interval: NO_TYPE,
    array: NO_TYPE,
    row: NO_TYPE,
    opaque: NO_TYPE,
  });

const plain = (node: Cast): Expression => ({ ...node, safe: false });

function whole(node: Cast): Expression {
  if (node.typeName.parameters.length > 0) throw unsupported("a text of some length", node.span, "Use left(x, n).");
  return textOf(node.operand, node);
}

function word(node: Cast): Expression {
  if (node.typeName.parameters.length > 0) throw unsupported("a text of some length", node.span, "Use left(x, n).");
  const branches = [
    { when: node.operand, then: text("true", node) },
    { when: not(node.operand), then: text("false", node) },
  ];
  return cases(branches, undefined, inPlaceOf(node));
}

const LARGEST = { 8: 3, 16: 5, 32: 10, 64: 19 } as const;

function toInteger(node: Cast): Expression {
  const { type } = node;
  const bits = type?.kind === "integer" ? type.bits : 64;
  if (node.safe) throw unsupported("TRY_CAST of a number", node.span);
  return call(`in ${bits} bits`, [node.operand], inPlaceOf(node));
}

function rounded(node: Cast): Expression {
  const { operand } = node;
  return toInteger({ ...node, operand: call("round", [operand, integer(0, node)], inPlaceOf(operand)) });
}

const ofDecimal = (node: Cast): Expression =>
  node.typeName.parameters.length > 0 ? plain(node) : { ...node.operand, ...(node.type && { type: node.type }) };

function toDecimal(node: Cast): Expression {
  const { operand } = node;
  const to = typeOrUnknown(node);
  const { precision, scale = 0 } = to.kind === "decimal" ? to : {};
  const from = scaleOf(operand);
  if (node.safe) throw unsupported("TRY_CAST of a number", node.span);
  if (precision === undefined) {
    if (from === undefined) throw unsupported("a number whose digits are not known", node.span);
    return cast(operand, "numeric", inPlaceOf(node), [PRECISION, from]);
  }
  const type = typeOrUnknown(operand);
  const digits =
    type.kind === "integer"
      ? LARGEST[type.bits]
      : type.kind === "decimal" && type.precision !== undefined
        ? type.precision - (type.scale ?? 0)
        : undefined;
  if (precision > PRECISION || scale < 0 || scale > precision) {
    throw unsupported(`numeric(${precision}, ${scale})`, node.span, `At most ${PRECISION} digits.`);
  }
  // A cast checks the bits of the type and not its digits.
  const fits = digits !== undefined && precision - scale >= digits;
  const near =
    from !== undefined && from <= scale ? operand : call("round", [operand, integer(scale, node)], inPlaceOf(operand));
  const value = cast(near, "numeric", inPlaceOf(node), [PRECISION, scale]);
  return fits ? value : call("within digits", [value, integer(precision - scale, node)], inPlaceOf(node));
}

function toTimestamp(node: Cast): Expression {
  const [precision] = node.typeName.parameters;
  if (precision !== undefined && precision < 6) throw unsupported(`a timestamp of ${precision} digits`, node.span);
  return plain(node);
}
