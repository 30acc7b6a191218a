import { describe, expect, it } from "vitest";
import { banner, shownLine } from "../../scripts/service/demonstration.ts";
import { DATA_SOURCES } from "../../src/service/data-sources.ts";

const where = {
  url: "http://127.0.0.1:1",
  sidecarUrl: "http://127.0.0.1:2",
  fileRoot: undefined,
  hasFilesWorker: false,
  projects: ["shop"],
};

/** The words of the banner for a source, where they are not its name. */
const WORDS: Readonly<Record<string, string>> = {
  local_file: "files and DuckDB",
  s3_file: "S3",
  gcs_file: "GCS",
  minio_file: "MinIO",
  mssql: "SQL Server",
  postgres: "PostgreSQL",
};

describe("the banner of npm start", () => {
  it.each(DATA_SOURCES)("names %s", (source) => {
    expect(banner(where).toLowerCase()).toContain((WORDS[source] ?? source).toLowerCase());
  });

  it("asks the bundled question only of the bundled files", () => {
    expect(banner(where)).toContain("-d @examples/tpch/question.json");
    const own = banner({ ...where, fileRoot: "/srv/files" });
    expect(own).not.toContain("question.json");
    expect(own).toContain("below /srv/files");
    expect(own).toContain("/v3/connector/local_file/metadata/tables");
  });

  it("names the projects, and asks shop only where it is one of them", () => {
    expect(banner(where)).toMatch(/Projects {3}shop {3}below/);
    expect(banner(where)).toContain("/v3/projects/shop/query");
    const own = banner({ ...where, projects: ["a", "b", "c", "d", "e", "f", "g"] });
    expect(own).toContain("a, b, c, d, e and 2 more");
    expect(own).not.toContain("/v3/projects/shop");
    expect(banner({ ...where, projects: [] })).toContain("Projects   none");
  });

  it("names the files Worker where it runs", () => {
    expect(banner({ ...where, hasFilesWorker: true })).toContain("files Worker: S3, GCS, MinIO");
  });
});

describe("the log on the screen of npm start", () => {
  it.each([
    [{ level: "info", event: "request", route: "/health" }, true],
    [{ level: "error", event: "engine", problem: "x" }, true],
    [{ level: "info", event: "audit" }, true],
    [{ level: "info", event: "call" }, false],
    [{ level: "info", event: "listening", port: 1 }, false],
  ])("shows %j: %s", (entry, isShown) => {
    const line = JSON.stringify(entry);
    expect(shownLine(line)).toBe(isShown ? line : undefined);
  });

  it("shows messages of a process as they are", () => {
    expect(shownLine('{"event":"message","message":"AUTH is not set."}')).toBe("AUTH is not set.");
  });
});
