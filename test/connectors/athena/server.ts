/**
 * A FAKE of Athena's API, and no engine. `rows COUNT` in a comment of the statement is how many rows it has, of one bigint
 * column; without it the statement runs until it is stopped.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface FakeAthenaServer {
  readonly url: string;
  /** Names of the calls that came, newest last. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

const PAGE_ROWS = 1000;
/** Beyond what a binary64 holds. */
const FIRST_VALUE = 9007199254740993n;

export async function startFakeAthena(): Promise<FakeAthenaServer> {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const [, name = ""] = String(request.headers["x-amz-target"]).split(".");
    asked.push(name);
    const given = JSON.parse(body) as { readonly [member: string]: string };
    const id = given["QueryExecutionId"] ?? given["QueryString"] ?? "";
    response.setHeader("content-type", "application/x-amz-json-1.1");
    response.end(JSON.stringify(answerTo(name, id, Number(given["NextToken"] ?? 0))));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The statement itself is what it is known by. */
function answerTo(name: string, id: string, from: number): object {
  const [, digits] = /rows (\d+)/.exec(id) ?? [];
  if (name === "StartQueryExecution") return { QueryExecutionId: id };
  if (name === "GetQueryExecution") {
    return { QueryExecution: { Status: { State: digits === undefined ? "RUNNING" : "SUCCEEDED" } } };
  }
  if (name !== "GetQueryResults") return {};
  const count = Number(digits);
  const to = Math.min(count, from + PAGE_ROWS - (from === 0 ? 1 : 0));
  const values = Array.from({ length: to - from }, (_, i) => String(FIRST_VALUE + BigInt(from + i)));
  return {
    ResultSet: {
      ResultSetMetadata: { ColumnInfo: [{ Name: "n", Type: "bigint" }] },
      Rows: (from === 0 ? ["n", ...values] : values).map((VarCharValue) => ({ Data: [{ VarCharValue }] })),
    },
    ...(to < count && { NextToken: String(to) }),
  };
}
