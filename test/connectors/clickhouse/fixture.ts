/** A connector over ClickHouse's engine, by the sidecar's `fetch`. */
import { guardedFetch } from "../../../sidecar/guarded-fetch.ts";
import { parseClickHouseConnection } from "../../../src/connectors/connection/clickhouse.ts";
import type { Connector } from "../../../src/connectors/connector.ts";
import { openClickHouse } from "../../../src/connectors/http/clickhouse.ts";
import type { ClickHouseTestDatabase } from "../../support/clickhouse.ts";
import { drain, patient, plain } from "../contract.ts";

export function openOn(database: ClickHouseTestDatabase, change: object = {}): Promise<Connector> {
  const { info } = parseClickHouseConnection({ ...database.fields, ...change });
  const fetch = guardedFetch({ allowedHosts: [database.host] });
  return openClickHouse(info, { fetch }, { signal: new AbortController().signal });
}

export async function rowsOf(database: ClickHouseTestDatabase, sql: string, change: object = {}) {
  const connector = await openOn(database, change);
  try {
    const result = await connector.query(plain(sql), patient());
    return { types: result.columns.map(({ type }) => type), rows: await drain(result) };
  } finally {
    await connector.close();
  }
}
