/** The question behind `#` in the address: a link shares a question, never data or a credential. */

export interface LinkedQuestion {
  readonly sql: string;
}

const LONGEST = 100_000;

export function hashOf({ sql }: LinkedQuestion): string {
  return `#${new URLSearchParams({ sql }).toString()}`;
}

export function questionIn(hash: string): LinkedQuestion | undefined {
  if (hash.length > LONGEST) return undefined;
  const sql = new URLSearchParams(hash.replace(/^#/, "")).get("sql");
  return sql === null || sql === "" ? undefined : { sql };
}

/** The project of the address `/explore/{project}`. */
export function projectIn(pathname: string): string | undefined {
  const [, name] = /^\/explore\/([a-z0-9-]{1,63})$/.exec(pathname) ?? [];
  return name;
}
