/** Digits behind the point of a quotient that do not depend on its sides: fewer than the session's divisions have, and more than anybody rounds to. */
export const SETTLED_DIGITS = 14;
