/** The screen of `npm start`: its banner, and the lines of the log that it shows. */

export interface Demonstration {
  readonly url: string;
  readonly sidecarUrl: string;
  /** Setting `FILE_ROOT`, where the environment has it. Without it the bundled examples are served. */
  readonly fileRoot: string | undefined;
  readonly hasFilesWorker: boolean;
  /** Names of the projects that are published. */
  readonly projects: readonly string[];
}

const MOST_NAMED = 5;

function listed(projects: readonly string[]): string {
  if (projects.length === 0) return "none: set PROJECTS and PROJECTS_DIRECTORY (docs/guide/projects.md)";
  const more = projects.length - MOST_NAMED;
  return `${projects.slice(0, MOST_NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}   below /v3/projects`;
}

export function banner({ url, sidecarUrl, fileRoot, hasFilesWorker, projects }: Demonstration): string {
  const shop = `Ask the project shop a question:

  curl -s ${url}/v3/projects/shop/query -H 'content-type: application/json' -d '{"sql": "SELECT status, sum(total) AS total FROM orders GROUP BY status"}'

Or bring a manifest of your own:`;
  const sample =
    fileRoot === undefined
      ? `${projects.includes("shop") ? shop : "Bring a manifest of your own:"}

  curl -s ${url}/v3/connector/local_file/query -H 'content-type: application/json' -d @examples/tpch/question.json`
      : `List the tables that your files make (format: parquet, csv or json):

  curl -s ${url}/v3/connector/local_file/metadata/tables -H 'content-type: application/json' -d '{"connectionInfo": {"url": "/", "format": "parquet"}}'`;
  return `
Siskin is running.

  Page       ${url}/explore   the model, questions and answers in a browser
  API        ${url}   workerd: planner, and sources on public hosts:
             PostgreSQL, MySQL, MariaDB, ClickHouse, Trino, Redshift, Doris, Canner,
             Athena, BigQuery, Databricks, Snowflake${hasFilesWorker ? "; files Worker: S3, GCS, MinIO" : ""}
  Sidecar    ${sidecarUrl}   Node: files and DuckDB databases below ${fileRoot ?? "examples/"},
             S3, GCS, MinIO, SQL Server, Oracle, Spark, and sources on private hosts
  Projects   ${listed(projects)}
  Reference  ${url}/docs   the API with a form for each operation, and the guides
  Log        a line of JSON for each request follows here; npm run serve writes the sidecar's log, too

${sample}

Ctrl-C ends both.
`;
}

/** The part of a line of the log that the screen shows: lines of requests, and sentences about errors. */
export function shownLine(line: string): string | undefined {
  const { event, level, message } = JSON.parse(line) as Readonly<Record<string, unknown>>;
  if (event === "message" && typeof message === "string") return message;
  return event === "request" || event === "audit" || level === "error" ? line : undefined;
}
