/**
 * Contradictory TLS options are rejected instead of one replacing the other, and fields that a URL overrides are
 * reported.
 */
import { describe, expect, test } from "vitest";
import { parseConnection } from "../../src/connectors/sources.ts";
import type { DataSource } from "../../src/planner/plan.ts";

type Pair = readonly [asked: string, other: string];

/** A URL, and pairs of contradictory options. */
const BY_URL: readonly (readonly [DataSource, string, readonly Pair[]])[] = [
  [
    "postgres",
    "postgresql://u:p@db.example.com/d",
    [
      ["sslmode=require", "sslmode=disable"],
      ["ssl=true", "sslmode=disable"],
    ],
  ],
  ["canner", "postgresql://u:p@db.example.com/d", [["sslmode=verify-full", "sslmode=disable"]]],
  [
    "mysql",
    "mysql://u:p@db.example.com/d",
    [
      ["sslMode=VERIFY_IDENTITY", "sslMode=DISABLED"],
      ["ssl_mode=REQUIRED", "ssl-mode=DISABLED"],
    ],
  ],
  ["doris", "mysql://u:p@db.example.com/d", [["sslMode=REQUIRED", "sslMode=DISABLED"]]],
  ["clickhouse", "clickhouse://u:p@db.example.com/d", [["secure=true", "secure=false"]]],
  [
    "mssql",
    "mssql://u:p@db.example.com/d",
    [
      ["Encrypt=strict", "Encrypt=no"],
      ["TrustServerCertificate=no", "TrustServerCertificate=yes"],
    ],
  ],
  [
    "trino",
    "trino://u@db.example.com/c/s",
    [
      ["SSL=true", "SSL=false"],
      ["http_scheme=https", "http_scheme=http"],
    ],
  ],
];

const message = (source: DataSource, connection: object): string => {
  try {
    return JSON.stringify(parseConnection(source, connection).warnings);
  } catch (error) {
    return `! ${(error as Error).message}`;
  }
};

const entry = (pair: string): object => Object.fromEntries([pair.split("=")]);

describe.each(BY_URL)("%s", (source, url, pairs) => {
  const CASES = pairs.flatMap(([one, other]) => [[one, other] as const, [other, one] as const]);

  test.each(CASES)("%s and %s in its URL", (one, other) => {
    expect(message(source, { connectionUrl: `${url}?${one}&${other}` })).toMatch(/^! .*(twice|two values|contradicts)/);
  });

  test.each(CASES)("%s in its URL and %s in kwargs", (one, other) => {
    expect(message(source, { connectionUrl: `${url}?${one}`, kwargs: entry(other) })).toMatch(
      /^! .*(has another value in connectionUrl|contradicts)/,
    );
  });

  test.each(CASES)("%s in kwargs and %s as a member", (one, other) => {
    expect(message(source, { connectionUrl: url, kwargs: entry(one), ...entry(other) })).toMatch(/^! /);
  });

  test.each(CASES)("%s twice is no contradiction", (one) => {
    const once = message(source, { connectionUrl: `${url}?${one}` });
    expect(message(source, { connectionUrl: `${url}?${one}&${one}`, kwargs: entry(one) })).toBe(once);
  });

  test("an option of another kind twice", () => {
    expect(message(source, { connectionUrl: `${url}?connect_timeout=1&connect_timeout=2` })).toMatch(/^! .*twice/);
  });

  test("a host beside a URL is reported", () => {
    expect(message(source, { connectionUrl: url, host: "other.example.com" })).toContain("UNKNOWN_OPTION");
    expect(message(source, { connectionUrl: url, host: "other.example.com" })).toContain(
      "connectionInfo.host is not used",
    );
    expect(message(source, { connectionUrl: url, host: "", port: null })).not.toContain("not used");
  });

  test("a login beside a URL is reported, without its value", () => {
    const shown = message(source, { connectionUrl: url, user: "someone-else" });
    expect(shown).toContain("connectionInfo.user is not used");
    expect(shown).not.toContain("someone-else");
  });

  test("a host beside a URL that asks for TLS is refused", () => {
    expect(message(source, { connectionUrl: url, host: "https://other.example.com" })).toMatch(/^! .*TLS/);
  });
});

test("members of TLS beside a URL are refused", () => {
  const clickhouse = { connectionUrl: "clickhouse://u:p@db.example.com/d", secure: true };
  expect(message("clickhouse", clickhouse)).toMatch(/^! .*TLS/);
  const oracle = { connectionUrl: "oracle://u:p@db.example.com/d", dsn: "tcps://db.example.com/d" };
  expect(message("oracle", oracle)).toMatch(/^! .*TLS/);
});

test("a host beside the dsn of Oracle is reported", () => {
  const login = { user: "u", password: "p", dsn: "db.example.com:1521/d" };
  expect(message("oracle", { ...login, host: "other.example.com" })).toContain("connectionInfo.host is not used");
});

test.each<[DataSource, object]>([
  [
    "redshift",
    { host: "h.example.com", port: 5439, database: "d", user: "u", password: "p", redshift_type: "redshift" },
  ],
  ["postgres", { host: "h.example.com", port: 5432, database: "d", user: "u", password: "p" }],
])("on %s a member and kwargs may not contradict each other", (source, connection) => {
  expect(message(source, { ...connection, sslmode: "require", kwargs: { sslmode: "disable" } })).toMatch(/^! /);
  expect(message(source, { ...connection, sslmode: "disable", kwargs: { sslMode: "require" } })).toMatch(/^! /);
});
