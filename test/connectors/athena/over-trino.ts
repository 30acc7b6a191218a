/**
 * A FAKE of Athena's API whose statements a real Trino runs: `StartQueryExecution`, `GetQueryExecution`, `GetQueryResults` and
 * `StopQueryExecution` in the JSON protocol of AWS, signatures checked. Errors, types and rows are Trino's; how Athena writes
 * values as text is ours, from its documentation.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { parseExactJson } from "../../../src/connectors/http/exact-json.ts";
import { isSignedBy } from "../aws/signature-check.ts";

export const KEYS = { id: "AKIAEXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" };

export interface FakeAthena {
  /** `http://127.0.0.1:…` */
  readonly url: string;
  /** Names of the calls that came, newest last. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

interface TrinoAnswer {
  readonly nextUri?: string;
  readonly columns?: readonly { readonly name: string; readonly type: string }[];
  readonly data?: readonly (readonly unknown[])[];
  readonly error?: { readonly message: string; readonly errorName: string; readonly errorType: string };
}

interface Execution {
  state: "RUNNING" | "SUCCEEDED" | "FAILED" | "CANCELLED";
  error: TrinoAnswer["error"];
  columns: NonNullable<TrinoAnswer["columns"]>;
  readonly rows: (readonly unknown[])[];
  next: string | undefined;
}

/** Athena's own limit. */
const PAGE_ROWS = 1000;

/** `timeZone` is that of all sessions; nobody who asks can set it. */
export async function startAthenaOverTrino(trino: string, timeZone = "UTC"): Promise<FakeAthena> {
  const executions = new Map<string, Execution>();
  const asked: string[] = [];

  async function ask(url: string, init: RequestInit): Promise<TrinoAnswer> {
    const response = await fetch(url, init);
    return response.status === 204 ? {} : (parseExactJson(await response.text()) as TrinoAnswer);
  }

  function take(execution: Execution, { columns, data = [], error, nextUri }: TrinoAnswer): void {
    if (columns !== undefined) execution.columns = columns;
    for (const row of data) execution.rows.push(row);
    execution.next = nextUri;
    if (execution.state !== "RUNNING") return;
    if (error !== undefined) Object.assign(execution, { state: "FAILED", error });
    else if (nextUri === undefined) execution.state = "SUCCEEDED";
  }

  async function follow(execution: Execution): Promise<void> {
    while (execution.next !== undefined && execution.state === "RUNNING") {
      take(execution, await ask(execution.next, {}));
    }
  }

  const CALLS: Readonly<Record<string, (given: Readonly<Record<string, unknown>>) => Promise<object>>> = {
    async StartQueryExecution({ QueryString, QueryExecutionContext, ResultConfiguration }) {
      const { Database, Catalog = "tpch" } = QueryExecutionContext as {
        readonly Database: string;
        readonly Catalog?: string;
      };
      const { OutputLocation } = ResultConfiguration as { readonly OutputLocation: string };
      if (!OutputLocation.startsWith("s3://")) throw refusal("InvalidRequestException", "No output location provided");
      const execution: Execution = { state: "RUNNING", error: undefined, columns: [], rows: [], next: undefined };
      const headers = {
        "x-trino-user": "athena",
        "x-trino-catalog": Catalog,
        "x-trino-schema": Database,
        "x-trino-time-zone": timeZone,
        "x-trino-client-capabilities": "PARAMETRIC_DATETIME",
      };
      take(execution, await ask(`${trino}/v1/statement`, { method: "POST", body: String(QueryString), headers }));
      // A statement that does not parse is rejected at once.
      if (execution.next !== undefined) take(execution, await ask(execution.next, {}));
      if (execution.error?.errorName === "SYNTAX_ERROR") {
        throw refusal("InvalidRequestException", execution.error.message);
      }
      const id = crypto.randomUUID();
      executions.set(id, execution);
      void follow(execution);
      return { QueryExecutionId: id };
    },
    async GetQueryExecution({ QueryExecutionId }) {
      const { state, error } = executionOf(QueryExecutionId);
      const reason = error && `${error.errorName}: ${error.message}`;
      const category = error?.errorType === "USER_ERROR" ? 2 : 1;
      return {
        QueryExecution: {
          QueryExecutionId,
          Status: {
            State: state,
            ...(reason !== undefined && {
              StateChangeReason: reason,
              AthenaError: { ErrorCategory: category, ErrorMessage: reason, Retryable: false },
            }),
          },
        },
      };
    },
    async GetQueryResults({ QueryExecutionId, NextToken }) {
      const { columns, rows } = executionOf(QueryExecutionId);
      const from = NextToken === undefined ? 0 : Number(NextToken);
      // The names are a row of the first page.
      const to = from + PAGE_ROWS - (from === 0 ? 1 : 0);
      const texts = rows.slice(from, to).map((row) => row.map((value, i) => textOf(value, columns[i]?.type ?? "")));
      const page = from === 0 ? [columns.map(({ name }) => name), ...texts] : texts;
      return {
        ResultSet: {
          ResultSetMetadata: { ColumnInfo: columns.map(columnInfo) },
          Rows: page.map((row) => ({
            Data: row.map((value) => (value === undefined ? {} : { VarCharValue: value })),
          })),
        },
        ...(to < rows.length && { NextToken: String(to) }),
      };
    },
    async StopQueryExecution({ QueryExecutionId }) {
      const execution = executionOf(QueryExecutionId);
      if (execution.state !== "RUNNING") return {};
      execution.state = "CANCELLED";
      if (execution.next !== undefined) await fetch(execution.next, { method: "DELETE" });
      return {};
    },
  };

  function executionOf(id: unknown): Execution {
    const execution = executions.get(String(id));
    if (execution === undefined) throw refusal("InvalidRequestException", `QueryExecution ${id} was not found`);
    return execution;
  }

  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const [, name = ""] = String(request.headers["x-amz-target"]).split(".");
    asked.push(name);
    const answer = (status: number, json: object) =>
      response.writeHead(status, { "content-type": "application/x-amz-json-1.1" }).end(JSON.stringify(json));
    // The client's URL has another host.
    const headers = { ...request.headers, host: "athena.eu-west-1.amazonaws.com" };
    const url = new URL(request.url ?? "/", "http://athena");
    if (!isSignedBy(KEYS.secret, { method: request.method ?? "", url, headers, body })) {
      return answer(400, { __type: "InvalidSignatureException", message: "The request signature does not match." });
    }
    try {
      return answer(200, (await CALLS[name]?.(JSON.parse(body))) ?? {});
    } catch (error) {
      const { name: type, message } = error as Error;
      return answer(400, { __type: type, Message: message });
    }
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

function refusal(name: string, message: string): Error {
  return Object.assign(new Error(message), { name });
}

/** `decimal(10,2)` → its name and digits; `real` is called `float` in results. */
function columnInfo({ name, type }: { readonly name: string; readonly type: string }): object {
  const [, before = "", digits = "", after = ""] = /^([a-z ]+)(?:\((.*)\))?(.*)$/.exec(type.toLowerCase()) ?? [];
  const [Precision = 0, Scale = 0] = /^[\d, ]+$/.test(digits) ? digits.split(",").map(Number) : [];
  const plain = `${before}${after}`;
  return { Name: name, Type: plain === "real" ? "float" : plain, Precision, Scale };
}

function textOf(value: unknown, type: string): string | undefined {
  if (value === null) return undefined;
  if (type === "varbinary")
    return Buffer.from(String(value), "base64")
      .toString("hex")
      .replace(/..(?=.)/g, "$& ");
  if (Array.isArray(value)) return `[${value.map((each) => textOf(each, "") ?? "null").join(", ")}]`;
  if (typeof value === "object") {
    const members = Object.entries(value as object).map(([key, each]) => `${key}=${textOf(each, "") ?? "null"}`);
    return `{${members.join(", ")}}`;
  }
  return String(value);
}
