/**
 * Numbers beside doubles: what MySQL and MariaDB look up by a key, of an index or of the table that they make of a subquery's rows,
 * keeps the key's own type, and beyond 2^53 a match is missed there or met twice (`test/engines/mysql-doubles.test.ts`). Seen on
 * MySQL 9.7.4 and MariaDB 10.11.18; reported for MySQL 9.6, with a fraction, as https://bugs.mysql.com/bug.php?id=120721.
 */
import { MixedNumbers } from "../../../lowering/numbers/mixed-numbers.ts";
import { isReal } from "../../../lowering/numbers/reals.ts";
import { columnsAsKeys } from "../../../lowering/queries/keys.ts";
import { cast, typed } from "../../../syntax/build.ts";
import type { Expression } from "../../../syntax/tree.ts";
import { DOUBLE, typeOrUnknown } from "../../../types.ts";

export const BESIDE_DOUBLES = new MixedNumbers({
  counts: ({ kind, type }) => type?.kind === "float" && kind !== "number",
  made: (value) => (isOtherKey(value) ? cast(value, "double precision", typed(DOUBLE, value)) : value),
  columns: (query, made) => ({ ...query, body: columnsAsKeys(query.body, made) }),
});

/** Numbers of at most 32 bits are exact as doubles, and a literal is no key: an index can serve the comparison. */
function isOtherKey(value: Expression): boolean {
  if (value.kind === "number") return false;
  const type = typeOrUnknown(value);
  return type.kind === "decimal" || (type.kind === "integer" && type.bits === 64) || isReal(type);
}
