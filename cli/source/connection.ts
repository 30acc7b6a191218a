/**
 * The connection of a command. It comes from a file, from the environment or from standard input, never from an argument: other
 * users of the machine see arguments, and shells keep them.
 */
import type { DataSource } from "../../src/planner/plan.ts";
import { UsageError } from "../exit.ts";
import { sourceNamed } from "../options.ts";
import { readYaml } from "../project/yaml.ts";
import type { Terminal } from "../terminal.ts";
import { readPrivateText } from "./private-text.ts";

export interface GivenConnection {
  readonly source: DataSource;
  readonly connectionInfo: Readonly<Record<string, unknown>>;
}

const SCHEMES: Readonly<Record<string, DataSource>> = {
  postgres: "postgres",
  postgresql: "postgres",
  redshift: "redshift",
  mysql: "mysql",
  mariadb: "mysql",
  clickhouse: "clickhouse",
  "clickhouse+http": "clickhouse",
  trino: "trino",
  mssql: "mssql",
  oracle: "oracle",
  canner: "canner",
  doris: "doris",
};

/** Sources whose connection holds no secret: their files may be read by everyone. */
const WITHOUT_SECRETS: ReadonlySet<string> = new Set(["local_file", "duckdb"]);

/**
 * `reference`: a file, `env:NAME`, or `-` for standard input; without it the environment's `DATABASE_URL`. Undefined if nothing is
 * given. Throws `UsageError`.
 */
export function readConnection(
  reference: string | undefined,
  directory: string,
  terminal: Pick<Terminal, "environment" | "input">,
): GivenConnection | undefined {
  if (reference === undefined) {
    const url = terminal.environment["DATABASE_URL"];
    return url === undefined || url === "" ? undefined : connectionIn(url, "DATABASE_URL");
  }
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(reference)) {
    throw new UsageError(
      "--connection takes no URL: other users see arguments. Set DATABASE_URL, or name a file of mode 0600.",
    );
  }
  const { text, origin, assertPrivate } = readPrivateText(reference, directory, terminal);
  const connection = connectionIn(text, origin);
  if (!WITHOUT_SECRETS.has(connection.source)) assertPrivate();
  return connection;
}

/** A URL, or an object of `dataSource` and `connectionInfo` as JSON or YAML. Messages quote no value. */
function connectionIn(text: string, origin: string): GivenConnection {
  const trimmed = text.trim();
  const [, scheme] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(trimmed) ?? [];
  if (scheme !== undefined) {
    const source = SCHEMES[scheme.toLowerCase()];
    if (source === undefined) {
      throw new UsageError(
        `${origin}: a URL of ${scheme} names no data source. Write {"dataSource": …, "connectionInfo": {…}}.`,
      );
    }
    return { source, connectionInfo: { connectionUrl: trimmed } };
  }
  const { value } = readYaml(trimmed, origin, { quotes: false });
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new UsageError(shapeOf(origin));
  const { dataSource, data_source, connectionInfo, connection_info } = value as Readonly<Record<string, unknown>>;
  const source = dataSource ?? data_source;
  const info = connectionInfo ?? connection_info ?? {};
  if (typeof source !== "string" || typeof info !== "object" || info === null || Array.isArray(info)) {
    throw new UsageError(shapeOf(origin));
  }
  return { source: sourceNamed(source), connectionInfo: info as Readonly<Record<string, unknown>> };
}

const shapeOf = (origin: string): string => `${origin} must be a URL, or an object of dataSource and connectionInfo.`;
