/**
 * PostgreSQL's text of a float. ClickHouse chooses the same digits, writes an exponent below 1e-6 and from 1e21 on, and names NaN
 * and infinity otherwise. Of a decimal halfway between two floats, such as 1e23, PostgreSQL writes a longer one that is nearer:
 * half a unit beside it another float is read, and an error is raised. Compared with PostgreSQL 18 on 26.7.
 */
import { words } from "../../lowering/templates/template.ts";
import { TEXT } from "../../types.ts";

interface Floats {
  readonly read: string;
  /** PostgreSQL writes an exponent from this power of ten on. */
  readonly exponent: string;
  /** Decimals halfway between two floats have few digits in this range only. */
  readonly halfway: readonly [from: string, below: string];
}

/** The text of `$1`. */
function floatText({ read, exponent, halfway: [from, below] }: Floats): string {
  const whole = "toDecimal256(toString(abs($1)), 0)";
  const isOther = (integral: string): string => `${read}(concat(toString(${integral}), '.5')) != abs($1)`;
  const isHalfway = `abs($1) >= ${from} AND abs($1) < ${below} AND (${isOther(whole)} OR ${isOther(`${whole} - 1`)})`;
  const message =
    "The text of a decimal number halfway between two floats is not supported on ClickHouse. Round it first.";
  const large =
    "if(position(toString($1), 'e') > 0, replaceOne(toString($1), 'e', 'e+'), " +
    "concat(replaceRegexpOne(replaceRegexpOne(replaceOne(toString($1), '.', ''), '^(-?.)(.*?)0*$', '\\\\1.\\\\2'), '[.]$', ''), " +
    "'e+', leftPad(toString(length(splitByChar('.', toString(abs($1)))[1]) - 1), 2, '0')))";
  const digits = (zeros: string, power: string): readonly [string, string] => [
    `'^(-?)0[.]${zeros}([1-9])(.*)$'`,
    `'\\\\1\\\\2.\\\\3e-${power}'`,
  ];
  const small = [digits("0000", "05"), digits("00000", "06"), ["'[.]e'", "'e'"], ["'e-([0-9])$'", "'e-0\\\\1'"]].reduce(
    (shown, [pattern, by]) => `replaceRegexpOne(${shown}, ${pattern}, ${by})`,
    "toString($1)",
  );
  return (
    `multiIf(isNaN($1), 'NaN', isInfinite($1), if($1 > 0, 'Infinity', '-Infinity'), throwIf(ifNull(${isHalfway}, 0), '${message}') > 0, '', ` +
    `abs($1) >= ${exponent}, ${large}, $1 = 0 OR abs($1) >= 1e-3, toString($1), ${small})`
  );
}

export const TEXT_OF_DOUBLE = words(
  floatText({ read: "toFloat64", exponent: "1e15", halfway: ["18014398509481984", "1e40"] }),
  { type: TEXT },
);
export const TEXT_OF_REAL = words(floatText({ read: "toFloat32", exponent: "1e6", halfway: ["33554432", "1e20"] }), {
  type: TEXT,
});
