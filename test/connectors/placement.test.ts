import { describe, expect, it } from "vitest";
import { parseAthenaConnection } from "../../src/connectors/connection/athena.ts";
import { parseMySqlConnection } from "../../src/connectors/connection/mysql.ts";
import { parsePostgresConnection } from "../../src/connectors/connection/postgres.ts";
import { parseSparkConnection } from "../../src/connectors/connection/spark.ts";
import { parseTrinoConnection } from "../../src/connectors/connection/trino.ts";
import type { Placement, PlacementRules } from "../../src/connectors/placement.ts";
import { parseConnection, placement } from "../../src/connectors/sources.ts";

const PEM = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----";
const PUBLIC = "db.example.com";
const NEON = "ep-cool-darkness-123456.eu-central-1.aws.neon.tech";

function place(host: string, kwargs: Record<string, string>, rules: Partial<PlacementRules>): string {
  const { info } = parsePostgresConnection({
    host,
    port: 5432,
    database: "d",
    user: "u",
    password: "topsecret",
    kwargs,
  });
  const where: Placement = placement(info, { sidecar: false, allowPrivateHosts: false, ...rules });
  if (where.place !== "refused") return where.place;
  expect(where.message).toMatch(/\.$/);
  expect(where.hint).toMatch(/\.$/);
  expect(JSON.stringify(where)).not.toContain("topsecret");
  return where.reason;
}

describe("TLS of a public host: [sslmode, alone, with a sidecar]", () => {
  it.each([
    [undefined, "worker", "worker"],
    ["disable", "worker", "worker"],
    ["allow", "worker", "worker"],
    ["prefer", "worker", "worker"],
    ["require", "NEEDS_SIDECAR", "sidecar"],
    ["verify-ca", "worker", "worker"],
    ["verify-full", "worker", "worker"],
  ])("%s", (sslmode, alone, withSidecar) => {
    const kwargs: Record<string, string> = sslmode === undefined ? {} : { sslmode };
    expect(place(PUBLIC, kwargs, {})).toBe(alone);
    expect(place(PUBLIC, kwargs, { allowPrivateHosts: true })).toBe(alone);
    expect(place(PUBLIC, kwargs, { sidecar: true })).toBe(withSidecar);
  });

  it.each(["require", "verify-ca", "verify-full"])("%s with an authority of the caller's own", (sslmode) => {
    expect(place(PUBLIC, { sslmode, sslrootcert: PEM }, {})).toBe("NEEDS_SIDECAR");
    expect(place(PUBLIC, { sslmode, sslrootcert: PEM }, { sidecar: true })).toBe("sidecar");
  });

  it("the public authorities named", () => {
    expect(place(PUBLIC, { sslrootcert: "system" }, {})).toBe("worker");
  });

  it.each(["require", "verify-full", "prefer"])("Neon over HTTPS satisfies %s", (sslmode) => {
    expect(place(NEON, { sslmode }, {})).toBe("worker");
  });

  it("another port of Neon's hosts is no SQL over HTTPS", () => {
    const { info } = parsePostgresConnection({ connectionUrl: `postgres://u:p@${NEON}:6543/d?sslmode=require` });
    expect(placement(info, { sidecar: true, allowPrivateHosts: false })).toEqual({ place: "sidecar" });
  });

  it("tells the fix", () => {
    const { info } = parsePostgresConnection({ connectionUrl: `postgres://u:p@${PUBLIC}/d?sslmode=require` });
    expect(placement(info, { sidecar: false, allowPrivateHosts: false })).toMatchObject({
      reason: "NEEDS_SIDECAR",
      hint: expect.stringContaining("sslmode=verify-full"),
    });
  });
});

describe("private hosts: refused alone, the sidecar's when there is one, the Worker's in development", () => {
  it.each([
    "localhost",
    "db",
    "host.docker.internal",
    "db.local",
    "db.lan",
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0x7f.1",
    "0177.0.0.1",
    "１２７.0.0.1",
    "127.0.0.1.",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.0.1",
    "169.254.1.1",
    "100.64.0.1",
    "0.0.0.0",
    "::1",
    "[::ffff:7f00:1]",
    "fe80::1%eth0",
    "fd12::1",
  ])("%s", (host) => {
    expect(place(host, {}, {})).toBe("EGRESS_DENIED");
    expect(place(host, {}, { sidecar: true })).toBe("sidecar");
    expect(place(host, {}, { sidecar: true, allowPrivateHosts: true })).toBe("sidecar");
    expect(place(host, {}, { allowPrivateHosts: true })).toBe("worker");
    expect(place(host, { sslmode: "require" }, { allowPrivateHosts: true })).toBe("NEEDS_SIDECAR");
  });
});

describe("metadata services: refused whatever is configured", () => {
  it.each([
    "169.254.169.254",
    "2852039166",
    "0xa9fea9fe",
    "[::ffff:a9fe:a9fe]",
    "fd00:ec2::254",
    "metadata.google.internal",
  ])("%s", (host) => {
    for (const rules of [{}, { sidecar: true }, { allowPrivateHosts: true }]) {
      expect(place(host, {}, rules)).toBe("EGRESS_DENIED");
    }
  });
});

describe("MySQL: [members, alone, with a sidecar]", () => {
  it.each<[Record<string, string>, string, string]>([
    [{}, "NEEDS_SIDECAR", "sidecar"],
    [{ sslMode: "ENABLED" }, "NEEDS_SIDECAR", "sidecar"],
    [{ sslMode: "DISABLED" }, "worker", "worker"],
    [{ sslMode: "PREFERRED" }, "worker", "worker"],
    [{ sslMode: "VERIFY_IDENTITY" }, "worker", "worker"],
    [{ sslMode: "VERIFY_IDENTITY", sslCA: PEM }, "NEEDS_SIDECAR", "sidecar"],
    [{ sslMode: "VERIFY_CA", sslCA: PEM }, "NEEDS_SIDECAR", "sidecar"],
    [{ host: "aws.connect.psdb.cloud" }, "worker", "worker"],
    [{ host: "10.0.0.7", sslMode: "DISABLED" }, "EGRESS_DENIED", "sidecar"],
    [{ host: "localhost", sslMode: "DISABLED" }, "EGRESS_DENIED", "sidecar"],
    [{ host: "169.254.169.254" }, "EGRESS_DENIED", "EGRESS_DENIED"],
  ])("%j", (change, alone, withSidecar) => {
    const { info } = parseMySqlConnection({ host: PUBLIC, port: 3306, database: "d", user: "u", ...change });
    const placed = (sidecar: boolean) => {
      const where = placement(info, { sidecar, allowPrivateHosts: false });
      return where.place === "refused" ? where.reason : where.place;
    };
    expect([placed(false), placed(true)]).toEqual([alone, withSidecar]);
  });
});

describe("a source over HTTP: [host, alone, with a sidecar]", () => {
  it.each([
    ["https://trino.example.com", "worker", "worker"],
    ["http://trino.example.com", "NEEDS_SIDECAR", "sidecar"],
    ["https://10.1.2.3", "EGRESS_DENIED", "sidecar"],
    ["https://trino", "EGRESS_DENIED", "sidecar"],
    ["http://localhost", "EGRESS_DENIED", "sidecar"],
    ["https://169.254.169.254", "EGRESS_DENIED", "EGRESS_DENIED"],
  ])("%s", (host, alone, withSidecar) => {
    const { info } = parseTrinoConnection({ host, port: 8443, catalog: "c", schema: "s" });
    const where = (rules: Partial<PlacementRules>) => {
      const found = placement(info, { sidecar: false, allowPrivateHosts: false, ...rules });
      return found.place === "refused" ? found.reason : found.place;
    };
    expect(where({})).toBe(alone);
    // The HTTP access that a Worker lends reaches public hosts only (docs/decisions/0026-placement.md#decision).
    expect(where({ allowPrivateHosts: true })).toBe(alone);
    expect(where({ sidecar: true })).toBe(withSidecar);
  });
});

describe("Spark, by the sidecar alone", () => {
  it.each([
    ["spark.example.com", "NEEDS_SIDECAR", "sidecar"],
    ["10.1.2.3", "NEEDS_SIDECAR", "sidecar"],
    ["localhost", "NEEDS_SIDECAR", "sidecar"],
    ["169.254.169.254", "EGRESS_DENIED", "EGRESS_DENIED"],
  ])("%s", (host, alone, withSidecar) => {
    const { info } = parseSparkConnection({ host, port: 15002 });
    const where = (rules: Partial<PlacementRules>) => {
      const found = placement(info, { sidecar: false, allowPrivateHosts: false, ...rules });
      return found.place === "refused" ? found.reason : found.place;
    };
    expect(where({})).toBe(alone);
    expect(where({ allowPrivateHosts: true })).toBe(alone);
    expect(where({ sidecar: true })).toBe(withSidecar);
  });
});

describe("Athena, whose hosts are public", () => {
  const FIELDS = { s3_staging_dir: "s3://bucket/", region_name: "eu-west-1" };
  const place = (change: object, sidecar: boolean): Placement =>
    placement(parseAthenaConnection({ ...FIELDS, ...change }).info, { sidecar, allowPrivateHosts: false });

  it("with keys or a token", () => {
    const keys = { aws_access_key_id: "AKIA", aws_secret_access_key: "topsecret" };
    for (const change of [keys, { web_identity_token: "token", role_arn: "arn:aws:iam::1:role/x" }]) {
      expect(place(change, true)).toEqual({ place: "worker" });
      expect(place(change, false)).toEqual({ place: "worker" });
    }
  });

  it("without, only a sidecar's machine can lend its own", () => {
    expect(place({}, true)).toEqual({ place: "sidecar" });
    expect(place({}, false)).toMatchObject({ place: "refused", reason: "NEEDS_SIDECAR" });
  });
});

describe("a bucket: [endpoint, alone, with a files Worker, with a sidecar, with both]", () => {
  const keys = { bucket: "sales", region: "eu-west-1", access_key: "a", secret_key: "topsecret" };
  it.each([
    [undefined, "NEEDS_SIDECAR", "files", "sidecar", "files"],
    ["https://store.example.com", "NEEDS_SIDECAR", "files", "sidecar", "files"],
    ["http://store.example.com", "NEEDS_SIDECAR", "NEEDS_SIDECAR", "sidecar", "sidecar"],
    ["https://10.0.0.7", "NEEDS_SIDECAR", "NEEDS_SIDECAR", "sidecar", "sidecar"],
    ["https://169.254.169.254", "EGRESS_DENIED", "EGRESS_DENIED", "EGRESS_DENIED", "EGRESS_DENIED"],
  ])("%s", (endpoint, ...expected) => {
    const { info } = parseConnection("s3_file", { ...keys, ...(endpoint !== undefined && { endpoint }) });
    const placed = [{}, { filesWorker: true }, { sidecar: true }, { sidecar: true, filesWorker: true }].map((rules) => {
      const where = placement(info, { sidecar: false, allowPrivateHosts: false, ...rules });
      return where.place === "refused" ? where.reason : where.place;
    });
    expect(placed).toEqual(expected);
  });
});
