/**
 * An agent without a model: one program for all questions, which knows none of them. It sees what a tool answers, and changes the
 * statement by suggestions, hints, values and warnings alone.
 */

export interface ToolAnswer {
  readonly text: string;
  readonly structured: Record<string, unknown>;
  readonly isError: boolean;
}

export type CallTool = (name: string, given: Record<string, unknown>) => Promise<ToolAnswer>;

interface Failure {
  readonly reason?: string;
  readonly hint?: string;
  readonly suggestions?: readonly string[];
  readonly position?: { readonly offset: number; readonly length: number };
}

interface Rows {
  readonly rows: readonly (readonly unknown[])[];
  readonly warnings: readonly { readonly code: string; readonly hint?: string }[];
}

export interface Attempt {
  readonly rows: readonly (readonly unknown[])[] | undefined;
  readonly sql: string;
  readonly calls: number;
}

const MOST_CALLS = 4;

export async function answered(question: string, callTool: CallTool): Promise<Attempt> {
  let calls = 0;
  const call: CallTool = (name, given) => {
    calls++;
    return callTool(name, given);
  };
  let sql = question;
  let rows: Rows["rows"] | undefined;
  while (calls < MOST_CALLS) {
    const answer = await call("query", { sql, limit: 1000 });
    if (!answer.isError) rows = (answer.structured as unknown as Rows).rows;
    if (calls === MOST_CALLS) break;
    const next = answer.isError
      ? await repaired(sql, answer.structured["error"] as Failure, call)
      : await doubted(sql, answer.structured as unknown as Rows, call);
    if (next === undefined || next === sql) break;
    sql = next;
  }
  return { rows, sql, calls };
}

async function repaired(sql: string, failure: Failure, call: CallTool): Promise<string | undefined> {
  const { reason, hint = "", suggestions = [], position } = failure;
  if (position === undefined) return undefined;
  const start = position.offset - 1;
  const end = start + position.length;
  const wrong = sql.slice(start, end);
  const replaced = (text: string): string => sql.slice(0, start) + text + sql.slice(end);
  const [suggestion] = suggestions;
  if (suggestion !== undefined) return everywhere(sql, wrong.split(".").at(-1) ?? wrong, suggestion);
  if (reason === "UNGROUPED_COLUMN") return grouped(sql, wrong);
  const limit = /^TOP$/i.test(wrong) ? /\bTOP (\d+) /i.exec(sql) : null;
  if (limit !== null && hint.includes("LIMIT n at the end")) return `${sql.replace(limit[0], "")} LIMIT ${limit[1]}`;
  const model = /It is a column of "(\w+)", which FROM does not name/.exec(hint)?.[1];
  if (model !== undefined) return reached(sql, wrong, model, call);
  // An alias that FROM does not name: the column alone is asked for, so that the next hint says whose it is.
  const [alias, column] = wrong.split(".");
  if (hint.startsWith("In FROM") && alias !== undefined && column !== undefined) {
    return sql.replaceAll(new RegExp(`\\b${alias}\\.(\\w+)`, "g"), "$1");
  }
  const meant = /Did you mean "?(\w+)"?\?/.exec(hint)?.[1];
  return meant === undefined ? undefined : replaced(wrong.replace(/\w+(?=\W*$)/, meant));
}

const everywhere = (sql: string, wrong: string, right: string): string =>
  sql.replaceAll(new RegExp(`(?<!')\\b${wrong}\\b(?!')`, "g"), right);

function grouped(sql: string, column: string): string {
  if (/ GROUP BY /.test(sql)) return sql.replace(/ GROUP BY /, ` GROUP BY ${column}, `);
  const [before, after = ""] = splitBefore(sql, / (?:HAVING|ORDER BY|LIMIT) /);
  return `${before} GROUP BY ${column}${after}`;
}

function splitBefore(sql: string, pattern: RegExp): readonly [string, string] {
  const at = sql.search(pattern);
  return at < 0 ? [sql, ""] : [sql.slice(0, at), sql.slice(at)];
}

/** Goes to the column of another model by the path that `describe` shows. */
async function reached(sql: string, column: string, model: string, call: CallTool): Promise<string | undefined> {
  const [, from, alias] = / FROM (\w+)(?: (\w+))?/.exec(sql) ?? [];
  if (from === undefined) return undefined;
  const { text } = await call("describe", { names: [from, model] });
  const path = new RegExp(`path ${from}\\.(\\w+) → ${model}\\b`).exec(text)?.[1];
  if (path === undefined) return undefined;
  // All columns of that model that stand without a table.
  const section = text.split("## ").find((part) => part.startsWith(`model ${model}`)) ?? "";
  const columns = [...section.matchAll(/^- (\w+) /gm)].map(([, name]) => name);
  const named = columns.includes(column) ? columns : [column];
  return named.reduce<string>(
    (text, name) =>
      text.replaceAll(new RegExp(`(?<![.'\\w])${name}\\b(?!')(?! *\\()`, "g"), `${alias ?? from}.${path}.${name}`),
    sql.replaceAll(/ AS (\w+)/g, " AS $1"),
  );
}

/** An answer that may be wrong: a join that repeats rows, or a filter that meets nothing. */
async function doubted(sql: string, { rows, warnings }: Rows, call: CallTool): Promise<string | undefined> {
  const hint = warnings.find(({ code }) => code === "FANOUT_RISK")?.hint ?? "";
  const alias = /^Aggregate "(\w+)"/.exec(hint)?.[1];
  if (alias !== undefined && hint.includes("EXISTS")) return withExists(sql, alias);
  const isEmpty = rows.every((row) => row.every((value) => value === null || value === 0 || value === "0"));
  const [, qualifier, column, text] = /(\w+)\.(\w+) = '([^']*)'/.exec(sql) ?? [];
  if (!isEmpty || qualifier === undefined || column === undefined || text === undefined) return undefined;
  const model = new RegExp(`(?:FROM|JOIN) (\\w+) ${qualifier}\\b`).exec(sql)?.[1];
  if (model === undefined) return undefined;
  const { structured } = await call("values", { column: `${model}.${column}`, term: text });
  const values = (structured["values"] ?? []) as readonly string[];
  const right = values.find((value) => value.toLowerCase() === text.toLowerCase());
  return right === undefined ? undefined : sql.replace(`'${text}'`, `'${right}'`);
}

function withExists(sql: string, alias: string): string | undefined {
  const [join, table, condition] = new RegExp(` JOIN (\\w+) ${alias} ON (\\w+\\.\\w+ = \\w+\\.\\w+)`).exec(sql) ?? [];
  if (join === undefined) return undefined;
  const exists = `EXISTS (SELECT 1 FROM ${table} ${alias} WHERE ${condition})`;
  const without = sql.replace(join, "");
  if (without.includes(" WHERE ")) return without.replace(" WHERE ", ` WHERE ${exists} AND `);
  const [before, after] = splitBefore(without, / (?:GROUP BY|HAVING|ORDER BY|LIMIT) /);
  return `${before} WHERE ${exists}${after}`;
}
