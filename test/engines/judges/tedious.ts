/** The parts of Microsoft's client `tedious` that the tests use. */

import { judge } from "../../judges/judge.ts";
import { FAKE_DATABASE, FAKE_PASSWORD, FAKE_USER, type FakeMsSql } from "../../support/tds-server.ts";

interface Tedious {
  readonly Connection: new (configuration: object) => TediousConnection;
  readonly Request: new (sql: string, done: (error?: Error) => void) => TediousRequest;
}
interface TediousConnection {
  connect(done: (error?: Error) => void): void;
  execSqlBatch(request: TediousRequest): void;
  close(): void;
}
interface TediousRequest {
  on(event: "row", take: (cells: TediousCell[]) => void): void;
}
export interface TediousCell {
  readonly metadata: { readonly colName: string };
  readonly value: unknown;
}

const connectionTo = ({ host, port }: FakeMsSql, options: object): TediousConnection => {
  const { Connection } = judge<Tedious>("tedious");
  return new Connection({
    server: host,
    authentication: { type: "default", options: { userName: FAKE_USER, password: FAKE_PASSWORD } },
    options: { port, database: FAKE_DATABASE, connectTimeout: 20_000, ...options },
  });
};

/** Logs in, with TLS or without, and leaves. The fake knows none of the settings that the client begins with. */
export function logIn(server: FakeMsSql, encrypt: boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const connection = connectionTo(server, { encrypt, trustServerCertificate: true, language: "us_english" });
    connection.connect((failure) => {
      if (failure && !/Invalid object name/.test(failure.message)) return reject(failure);
      connection.close();
      resolve();
    });
  });
}

/** The rows of a statement, without TLS. */
export function rowsOf(server: FakeMsSql, sql: string): Promise<readonly (readonly TediousCell[])[]> {
  const { Request } = judge<Tedious>("tedious");
  return new Promise((resolve, reject) => {
    const connection = connectionTo(server, { encrypt: false });
    const rows: TediousCell[][] = [];
    connection.connect((failure) => {
      if (failure) return reject(failure);
      const request = new Request(sql, (error) => {
        connection.close();
        if (error) reject(error);
        else resolve(rows);
      });
      request.on("row", (cells) => rows.push(cells));
      connection.execSqlBatch(request);
    });
  });
}
