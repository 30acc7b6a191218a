/** Which server it is that answers, and whether statements are written for it. */
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import type { ServerFacts } from "./session-settings.ts";

/** SQL Server 2019: before it no collation keeps UTF-8, which plans compare texts by. */
const FLOOR = 15;
/**
 * Values of `SERVERPROPERTY('EngineEdition')` that are always current: Azure SQL Database, Managed Instance and SQL
 * database in Fabric.
 */
const EVERGREEN: ReadonlySet<number> = new Set([5, 8, 12]);

/** Fails with `SOURCE_ERROR` if the server is too old. */
export function checkServer({ edition, major }: ServerFacts): void {
  if (major >= FLOOR || EVERGREEN.has(edition)) return;
  throw new ConnectorFailure("SOURCE_ERROR", "SQL Server before 2019 is not supported.", {
    hint: "Use SQL Server 2019 or later, or Azure SQL.",
  });
}
