import { describe, expect, it } from "vitest";
import { openStore } from "../../../src/connectors/files/open-store.ts";
import { canonicalConnection, identityOf, parseConnection, placement } from "../../../src/connectors/sources.ts";
import type { DataSource } from "../../../src/planner/plan.ts";
import { makeAccount } from "../bigquery/rest.ts";
import { failureOf } from "../contract.ts";

const KEYS = { access_key: "AKIDEXAMPLE", secret_key: "very/secret" };
const S3 = { bucket: "sales", region: "eu-west-1", ...KEYS };
const MINIO = { bucket: "sales", endpoint: "minio.internal:9000", ...KEYS };
const PEM = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
const GCS = { bucket: "sales", key_id: "GOOG1", secret_key: "very/secret" };

describe("a connection to a bucket", () => {
  it.each<[DataSource, object, object]>([
    ["s3_file", S3, { url: "/", format: "csv", endpoint: undefined, style: "vhost", requesterPays: false }],
    [
      "s3_file",
      { ...S3, url: "/a", format: "PARQUET", requester_pays: true },
      { format: "parquet", requesterPays: true },
    ],
    [
      "s3_file",
      { ...S3, endpoint: "s.example.com" },
      { endpoint: { host: "s.example.com", port: 443, isSecure: true } },
    ],
    [
      "s3_file",
      { ...S3, endpoint: "s.example.com", use_ssl: false },
      { endpoint: { host: "s.example.com", port: 80, isSecure: false }, style: "path" },
    ],
    ["minio_file", MINIO, { endpoint: { host: "minio.internal", port: 9000, isSecure: false }, region: "us-east-1" }],
    [
      "minio_file",
      { ...MINIO, ssl_enabled: true },
      { endpoint: { host: "minio.internal", port: 9000, isSecure: true } },
    ],
    ["minio_file", { ...MINIO, endpoint: "https://[::1]:9/" }, { endpoint: { host: "::1", port: 9, isSecure: true } }],
    ["minio_file", { ...MINIO, endpoint: "2130706433:9000" }, { endpoint: { host: "127.0.0.1" } }],
    ["gcs_file", GCS, { region: "auto", style: "path", account: undefined }],
    [
      "minio_file",
      { ...MINIO, ssl_enabled: true, sslrootcert: PEM },
      { endpoint: { isSecure: true }, certificateAuthority: PEM },
    ],
    [
      "s3_file",
      { ...S3, endpoint: "s.example.com", sslrootcert: btoa(PEM) },
      { endpoint: { isSecure: true }, certificateAuthority: PEM },
    ],
    ["gcs_file", { ...GCS, endpoint: "g.example.com", sslrootcert: PEM }, { certificateAuthority: PEM }],
    ["gcs_file", { ...GCS, credentials: makeAccount().credentials }, { account: { email: expect.any(String) } }],
  ])("%s %j", (source, raw, expected) => {
    const { info } = parseConnection(source, raw);
    expect(info).toMatchObject(expected);
    expect(parseConnection(source, canonicalConnection(info)).info).toEqual(info);
    expect(JSON.stringify(info)).not.toContain("very/secret");
  });

  it.each<[DataSource, object, string]>([
    ["s3_file", { ...S3, region: "nowhere" }, "region"],
    ["s3_file", { ...S3, region: "eu-west-1.evil.example/" }, "region"],
    ["s3_file", { ...S3, use_ssl: false }, "use_ssl"],
    ["s3_file", { ...S3, bucket: "a/b" }, "bucket"],
    ["s3_file", { ...S3, bucket: "a..b" }, "bucket"],
    ["s3_file", { ...S3, bucket: "evil.example#" }, "bucket"],
    ["s3_file", { ...S3, access_key: "" }, "access_key"],
    ["s3_file", { ...S3, secret_key: "" }, "secret_key"],
    ["s3_file", { ...S3, url_style: "other" }, "url_style"],
    ["s3_file", { ...S3, endpoint: "10.0.0.1", url_style: "vhost" }, "url_style"],
    ["s3_file", { ...S3, connectionUrl: "s3://x" }, "connectionUrl"],
    ["s3_file", { ...S3, session_token: "a\nb" }, "session_token"],
    ["minio_file", { ...MINIO, endpoint: "http://user@host" }, "endpoint"],
    ["minio_file", { ...MINIO, endpoint: "host/path" }, "endpoint"],
    ["minio_file", { ...MINIO, endpoint: "ftp://host" }, "endpoint"],
    ["minio_file", { ...MINIO, endpoint: "host:0" }, "endpoint"],
    ["minio_file", { ...MINIO, sslrootcert: PEM }, "sslrootcert"],
    ["s3_file", { ...S3, sslrootcert: PEM }, "sslrootcert"],
    ["s3_file", { ...S3, endpoint: "s.example.com", sslrootcert: "/etc/ssl/ca.pem" }, "sslrootcert"],
    ["gcs_file", { ...GCS, credentials: "no" }, "credentials"],
    ["gcs_file", { ...GCS, credentials: makeAccount().credentials, endpoint: "http://evil.example" }, "credentials"],
  ])("%s %j is refused by the member's name", async (source, raw, member) => {
    const failure = await failureOf((async () => parseConnection(source, raw))());
    expect(failure.reason).toBe("INVALID_CONNECTION");
    expect(failure.message).toMatch(new RegExp(`^connectionInfo\\.${member}: `));
    expect(failure.message).not.toContain("very/secret");
  });

  it("is another with another secret, token or endpoint", () => {
    const of = (more: object) => identityOf(parseConnection("s3_file", { ...S3, ...more }).info);
    const all = [
      {},
      { secret_key: "x" },
      { session_token: "t" },
      { endpoint: "s.example.com" },
      { bucket: "other" },
      { endpoint: "s.example.com", sslrootcert: PEM },
    ].map(of);
    expect(new Set(all).size).toBe(all.length);
  });

  it.each<[object, boolean, object]>([
    [{}, true, { place: "sidecar" }],
    [{ endpoint: "10.0.0.1:9000" }, true, { place: "sidecar" }],
    [{ endpoint: "s.example.com", ssl_enabled: true, sslrootcert: PEM }, true, { place: "sidecar" }],
    [{ endpoint: "s.example.com", ssl_enabled: true, sslrootcert: PEM }, false, { place: "refused" }],
    [{}, false, { place: "refused", reason: "NEEDS_SIDECAR" }],
    [{ endpoint: "169.254.169.254" }, true, { place: "refused", reason: "EGRESS_DENIED" }],
    [{ endpoint: "[::ffff:a9fe:a9fe]" }, true, { place: "refused", reason: "EGRESS_DENIED" }],
    [{ endpoint: "metadata.google.internal" }, true, { place: "refused", reason: "EGRESS_DENIED" }],
  ])("%j is placed, with a sidecar or without: %s", (more, sidecar, expected) => {
    const { info } = parseConnection("minio_file", { ...MINIO, ...more });
    expect(placement(info, { sidecar, filesWorker: "sslrootcert" in more, allowPrivateHosts: false })).toMatchObject(
      expected,
    );
  });

  it.each([
    ["10.0.0.1:9000", { place: "files" }],
    ["127.0.0.1:9000", { place: "files" }],
    ["169.254.169.254", { place: "refused", reason: "EGRESS_DENIED" }],
  ])("%s is placed for local development, with a sidecar or without", (endpoint, expected) => {
    const { info } = parseConnection("minio_file", { ...MINIO, endpoint });
    for (const sidecar of [true, false]) {
      expect(placement(info, { sidecar, filesWorker: true, allowPrivateHosts: true })).toMatchObject(expected);
    }
    const { place } = placement(info, { sidecar: true, filesWorker: true, allowPrivateHosts: false });
    expect(place).toBe(expected.place === "files" ? "sidecar" : "refused");
  });

  it("of Google lists by the service account, and reads by the HMAC key", async () => {
    const { info } = parseConnection("gcs_file", { ...GCS, credentials: makeAccount().credentials });
    if (info.source !== "gcs_file") throw new Error("another source");
    const asked: [string, string | null][] = [];
    const fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
      const request = new Request(input, init);
      asked.push([request.url, request.headers.get("authorization")]);
      if (request.url.startsWith("https://oauth2.googleapis.com/")) {
        expect(atob((await request.formData()).get("assertion")?.toString().split(".")[1] ?? "")).toContain(
          "devstorage.read_only",
        );
        return Response.json({ access_token: "the-token" });
      }
      if (request.method === "HEAD") return new Response(null, { headers: { etag: '"e"', "content-length": "1" } });
      return new Response("<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>");
    };
    const { signal } = new AbortController();
    const store = openStore(info, fetch as typeof globalThis.fetch);
    for await (const _ of store.list("a/", { signal })) throw new Error("nothing is there");
    await store.head("a/b", signal);
    expect(asked.map(([url]) => new URL(url).host)).toEqual([
      "oauth2.googleapis.com",
      "storage.googleapis.com",
      "storage.googleapis.com",
    ]);
    expect(asked[1]?.[1]).toBe("Bearer the-token");
    expect(asked[2]?.[1]).toMatch(/^AWS4-HMAC-SHA256 Credential=GOOG1\//);
  });
});
