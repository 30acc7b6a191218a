/** The two things DuckDB SQL of ours is put together from. A backslash is an ordinary character in both. */

export function sqlIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function sqlText(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}
