/** The question as a program would ask it. The credential is a variable of the environment, never the person's own. */
import { pathOf } from "./api.ts";
import { type Question, requestOf } from "./question.ts";

export interface CodeRequest {
  readonly origin: string;
  readonly project: string;
  readonly question: Question;
  readonly limit: number | undefined;
  readonly hasToken: boolean;
}

export interface Snippet {
  readonly title: string;
  readonly code: string;
}

export function snippets(request: CodeRequest): readonly Snippet[] {
  return [
    { title: "curl", code: curl(request) },
    { title: "TypeScript", code: typescript(request) },
    { title: "Python", code: python(request) },
    { title: "@siskin/client", code: typescriptClient(request) },
    { title: "siskin-sql", code: pythonClient(request) },
    { title: "MCP", code: mcp(request) },
  ];
}

const urlOf = ({ origin, project, question }: CodeRequest): string =>
  origin + pathOf(project, requestOf(question).operation);

const bodyOf = ({ question, limit }: CodeRequest): string =>
  JSON.stringify({ ...requestOf(question).body, ...(limit !== undefined && { limit }) });

/** In single quotes of a POSIX shell. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

function curl(request: CodeRequest): string {
  const token = request.hasToken ? ` -H "Authorization: Bearer $SISKIN_TOKEN"` : "";
  return `curl -s ${shellQuoted(urlOf(request))}${token} -H 'content-type: application/json' -d ${shellQuoted(bodyOf(request))}`;
}

function typescript(request: CodeRequest): string {
  const token = request.hasToken ? `\n    Authorization: \`Bearer \${process.env.SISKIN_TOKEN}\`,` : "";
  return `const response = await fetch(${JSON.stringify(urlOf(request))}, {
  method: "POST",
  headers: {
    "content-type": "application/json",${token}
  },
  body: JSON.stringify(${bodyOf(request)}),
});
if (!response.ok) throw new Error((await response.json()).message);
const { columns, data } = await response.json();
console.log(columns, data);`;
}

function python(request: CodeRequest): string {
  const token = request.hasToken ? `, "Authorization": "Bearer " + os.environ["SISKIN_TOKEN"]` : "";
  return `import json, os, urllib.request

# Texts, lists and objects of JSON are those of Python, too.
body = ${bodyOf(request)}
request = urllib.request.Request(
    ${JSON.stringify(urlOf(request))},
    data=json.dumps(body).encode(),
    headers={"content-type": "application/json"${token}},
)
answer = json.load(urllib.request.urlopen(request))
print(answer["columns"], answer["data"])`;
}

/** A call of the tool that answers the question, as a program sends it to the project's address for agents (docs/guide/agents.md). */
/** The client of clients/typescript. */
function typescriptClient({ origin, project, question, limit, hasToken }: CodeRequest): string {
  const token = hasToken ? ", token: process.env.SISKIN_TOKEN" : "";
  const { operation, body } = requestOf(question);
  const options = limit === undefined ? "" : `, { limit: ${limit} }`;
  return `import { siskin } from "@siskin/client";

const db = siskin({ url: ${JSON.stringify(origin)}, project: ${JSON.stringify(project)}${token} });
const { rows } = await db.${operation}(${JSON.stringify(body["sql"] ?? body["cube"])}${options});
console.log(rows);`;
}

/** The client of clients/python. */
function pythonClient({ origin, project, question, limit, hasToken }: CodeRequest): string {
  const token = hasToken ? `, token=os.environ["SISKIN_TOKEN"]` : "";
  const { operation, body } = requestOf(question);
  const options = limit === undefined ? "" : `, limit=${limit}`;
  const call = operation === "cube" ? "execute_cube" : "execute";
  return `import os
import siskin_sql

# Texts, lists and objects of JSON are those of Python, too.
question = ${JSON.stringify(body["sql"] ?? body["cube"])}
with siskin_sql.connect(${JSON.stringify(origin)}, project=${JSON.stringify(project)}${token}${options}) as connection:
    print(connection.cursor().${call}(question).fetchall())`;
}

function mcp({ origin, project, question, limit, hasToken }: CodeRequest): string {
  const token = hasToken ? ` -H "Authorization: Bearer $SISKIN_TOKEN"` : "";
  // The tool answers 100 rows where no limit is given, and 10,000 at most. It has one limit for a cube and its answer.
  const own = question.kind === "cube" ? question.cube.limit : undefined;
  const most = { limit: Math.max(1, Math.min(limit ?? MOST_OF_TOOL, own ?? MOST_OF_TOOL, MOST_OF_TOOL)) };
  const call =
    question.kind === "sql"
      ? { name: "query", arguments: { sql: question.sql, ...most } }
      : { name: "query_cube", arguments: { ...question.cube, ...most } };
  const message = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: call });
  const address = shellQuoted(`${origin}/mcp/${encodeURIComponent(project)}`);
  const headers = "-H 'content-type: application/json' -H 'accept: application/json, text/event-stream'";
  return `curl -s ${address}${token} ${headers} -d ${shellQuoted(message)}`;
}

const MOST_OF_TOOL = 10_000;
