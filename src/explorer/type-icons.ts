/** The sign of a column in the model, by the name of its type in the input language. */
export function kindOfModelType(type: string): string {
  if (/^(smallint|integer|bigint|hugeint|numeric|decimal|real|double|tinyint|u)/.test(type)) return "#";
  if (/^(date|time|interval)/.test(type)) return "◷";
  if (type === "boolean") return "?";
  return "a";
}
