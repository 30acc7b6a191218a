/** Literals and identifiers for DuckDB SQL of the connectors. A backslash is an ordinary character in both. */

export function sqlIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function sqlText(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}
