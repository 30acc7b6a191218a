/** The protocol's server, which is MySQL behind a front and NOT Doris (`front.ts`). */
import { parseDorisConnection } from "../../../src/connectors/connection/doris.ts";
import type { Connector } from "../../../src/connectors/connector.ts";
import type { ConnectorHost } from "../../../src/connectors/host.ts";
import { openDoris } from "../../../src/connectors/socket/doris.ts";
import type { ContractFixture, ContractStatements } from "../contract.ts";
import { MYSQL_STATEMENTS, type MySqlFixture, NODE_HOST, startMySqlFixture } from "../mysql/fixture.ts";
import { type Front, type FrontOptions, startFront } from "./front.ts";

export interface DorisFixture extends ContractFixture {
  readonly front: Front;
  readonly behind: MySqlFixture;
  readonly fields: object;
}

export function openFromNode(raw: unknown, host: ConnectorHost = NODE_HOST): Promise<Connector> {
  return openDoris(parseDorisConnection(raw).info, host, { signal: new AbortController().signal });
}

/** Doris has no functions that write; MySQL would run them. */
const { writes: _, ...READS } = MYSQL_STATEMENTS;
const STATEMENTS: ContractStatements = READS;

export async function startDorisFixture(
  options: FrontOptions = {},
  open: (fields: object) => Promise<Connector> = openFromNode,
): Promise<DorisFixture> {
  const behind = await startMySqlFixture("mysql");
  const { host, port, user, password, database } = behind.database;
  const front = await startFront({ host, port }, options);
  const fields = {
    host: front.host,
    port: String(front.port),
    user,
    password,
    database,
    kwargs: { ssl_mode: "DISABLED" },
  };
  return {
    ...behind,
    front,
    behind,
    fields,
    statements: STATEMENTS,
    open: () => open(fields),
    close: async () => {
      await front.close();
      await behind.close();
    },
  };
}
