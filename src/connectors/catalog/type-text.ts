/** Type names in the servers' own spelling, in texts of any length. */

/** The name without its first parentheses: `varchar(20)` → `varchar`, `timestamp(3) with time zone` → `timestamp with time zone`. */
export function withoutParameters(type: string): string {
  const open = type.indexOf("(");
  const close = open < 0 ? -1 : type.indexOf(")", open);
  return close < 0 ? type : type.slice(0, open) + type.slice(close + 1);
}
