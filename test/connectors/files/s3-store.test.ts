import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ConnectorFailure, cancelled } from "../../../src/connectors/failure.ts";
import type { StoredObject } from "../../../src/connectors/files/object-store.ts";
import { openStore } from "../../../src/connectors/files/open-store.ts";
import { objectsAt } from "../../../src/connectors/files/paths.ts";
import type { Patience } from "../../../src/connectors/files/s3/patience.ts";
import { S3Store } from "../../../src/connectors/files/s3/store.ts";
import { parseConnection } from "../../../src/connectors/sources.ts";
import {
  refuse,
  type S3Fault,
  type S3Server,
  type S3ServerOptions,
  say,
  startS3Server,
} from "../../support/s3-server.ts";
import { failureOf } from "../contract.ts";

const never = new AbortController().signal;
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

let server: S3Server;
const servers: S3Server[] = [];

async function start(options: S3ServerOptions = {}): Promise<S3Server> {
  server = await startS3Server(options);
  servers.push(server);
  return server;
}

beforeEach(async () => {
  await start();
});
afterEach(async () => {
  await Promise.all(servers.splice(0).map((each) => each.close()));
});

function store(more: object = {}, fetch: typeof globalThis.fetch = globalThis.fetch) {
  const { info } = parseConnection("minio_file", server.connectionInfo(more));
  if (info.source !== "minio_file") throw new Error("another source");
  return openStore(info, fetch);
}

async function listed(prefix: string, delimiter?: "/"): Promise<string[]> {
  const names: string[] = [];
  for await (const entry of store().list(prefix, { signal: never, ...(delimiter && { delimiter }) })) {
    names.push("key" in entry ? `${entry.key} ${entry.size}` : entry.prefix);
  }
  return names;
}

async function textOf(object: StoredObject | undefined, start = 0, end = object?.size ?? 0): Promise<string> {
  if (object === undefined) throw new Error("no object");
  return new Response(await store().read(object, start, end, never)).text();
}

describe("objects of a store", () => {
  it.each([
    "plain.csv",
    "a b/c d.csv",
    "a%2Fb.csv",
    "100%.csv",
    "a+b&c=d?e#f.csv",
    "größe/日本語/😀.csv",
    `quotes'"(!*).csv`,
    "year=2024/month=01/x.csv",
    "a//b.csv",
    "\u0001\n.csv",
    "…/..x/.y.csv",
  ])("are listed, looked at and read by the key %j", async (key) => {
    server.objects.set(key, bytes("0123456789"));
    expect(await listed("")).toEqual([`${key} 10`]);
    const object = await store().head(key, never);
    expect(object).toMatchObject({ key, size: 10 });
    expect(await textOf(object)).toBe("0123456789");
    expect(await textOf(object, 3, 5)).toBe("34");
    expect(server.requests.at(-1)).toBe(`GET ${key} bytes=3-4`);
  });

  it.each(["../x", "a/../b", "a/./b", "."])("that no address can name are not there: %s", async (key) => {
    const before = server.requests.length;
    expect(await failureOf(store().head(key, never))).toMatchObject({ reason: "FILE_NOT_FOUND" });
    expect(server.requests.length).toBe(before);
  });

  it("may be empty, and missing", async () => {
    server.objects.set("empty", bytes(""));
    expect(await textOf(await store().head("empty", never))).toBe("");
    expect(await store().head("missing", never)).toBeUndefined();
  });

  it("are listed in pages, with folders in place of what is below them", async () => {
    await start({ pageSize: 3 });
    for (let i = 0; i < 10; i++) server.objects.set(`d/${i}.csv`, bytes("x"));
    server.objects.set("d/e/f.csv", bytes("x"));
    server.objects.set("other", bytes("x"));
    expect(await listed("d/", "/")).toEqual([...Array.from({ length: 10 }, (_, i) => `d/${i}.csv 1`), "d/e/"].sort());
    expect((await listed("")).length).toBe(12);
    expect(server.requests.filter((request) => request === "LIST d/").length).toBe(4);
  });

  it("are signed with the session's token", async () => {
    await start({ keys: { access: "ASIAEXAMPLE", secret: "s", session: "token/+=" } });
    server.objects.set("x", bytes("1"));
    const { info } = parseConnection("minio_file", server.connectionInfo({ session_token: "token/+=" }));
    if (info.source !== "minio_file") throw new Error("another source");
    expect(await openStore(info, fetch).head("x", never)).toMatchObject({ size: 1 });
    expect(await failureOf(store().head("x", never))).toMatchObject({ reason: "AUTHENTICATION" });
  });

  it("are asked for again in the region that the store names", async () => {
    await start({ region: "eu-central-1" });
    server.objects.set("x", bytes("1"));
    const one = store();
    for await (const entry of one.list("", { signal: never })) expect(entry).toMatchObject({ key: "x" });
    expect(await one.head("x", never)).toMatchObject({ size: 1 });
    expect(server.requests).toEqual(["LIST ", "LIST ", "HEAD x"]);
    server.objects.set("empty", bytes(""));
    // An answer to HEAD has no words for it.
    expect(await store().head("x", never)).toMatchObject({ size: 1 });
    expect(await store().head("empty", never)).toMatchObject({ size: 0 });
  });

  it("are paid for by who asks, where that is agreed", async () => {
    await start({ requesterPays: true, region: "eu-west-1" });
    server.objects.set("x", bytes("1"));
    const ask = (more: object) => {
      const { access_key, secret_key, bucket } = server.connectionInfo();
      const endpoint = `http://${server.endpoint}`;
      const given = { access_key, secret_key, bucket, endpoint, region: "eu-west-1", ...more };
      const { info } = parseConnection("s3_file", given);
      if (info.source !== "s3_file") throw new Error("another source");
      return openStore(info, fetch).head("x", never);
    };
    expect(await ask({ requester_pays: true })).toMatchObject({ size: 1 });
    expect(await failureOf(ask({}))).toMatchObject({ reason: "AUTHENTICATION", engineCode: "AccessDenied" });
  });
});

describe("what a store does on bad days", () => {
  const reading = async (): Promise<string> => {
    server.objects.set("x", bytes("0123456789"));
    const object = { key: "x", size: 10, etag: '"781e5e245d69b566979b86e28d23f2c7"' };
    return new Response(await store().read(object, 0, 10, never)).text();
  };
  const listing = () => listed("");

  it.each<[what: string, work: () => Promise<unknown>, fault: S3Fault | object, expected: object]>([
    [
      "a wrong secret",
      reading,
      { secret_key: "wrong" },
      { reason: "AUTHENTICATION", engineCode: "SignatureDoesNotMatch" },
    ],
    [
      "an unknown key",
      reading,
      { access_key: "nobody" },
      { reason: "AUTHENTICATION", engineCode: "InvalidAccessKeyId" },
    ],
    ["a missing bucket", listing, { bucket: "nothing" }, { reason: "AUTHENTICATION", engineCode: "NoSuchBucket" }],
    [
      "a denied listing",
      listing,
      ({ isListing }, response) => isListing && refuse(response, 403, "AccessDenied"),
      { reason: "AUTHENTICATION", engineCode: "AccessDenied", hint: expect.stringContaining("ListBucket") },
    ],
    [
      "a clock that is wrong",
      reading,
      (_, response) => refuse(response, 403, "RequestTimeTooSkewed"),
      { reason: "AUTHENTICATION", engineCode: "RequestTimeTooSkewed", hint: expect.stringContaining("clock") },
    ],
    [
      "too many requests",
      reading,
      (_, response) => refuse(response, 503, "SlowDown", "", { "retry-after": "7" }),
      { reason: "OVERLOADED", retryAfter: 7 },
    ],
    [
      "a proxy's page",
      listing,
      (_, response) => say(response, 200, { "content-type": "text/html" }, "<html>hello</html>"),
      { reason: "UPSTREAM_PROTOCOL", message: "The answer is not a listing." },
    ],
    [
      "a proxy's refusal",
      reading,
      (_, response) => say(response, 418, {}, "<html>secret of the proxy</html>"),
      { reason: "UPSTREAM_PROTOCOL", message: expect.not.stringContaining("secret") },
    ],
    [
      "another version than the one that was listed",
      reading,
      (_, response) => refuse(response, 412, "PreconditionFailed"),
      { reason: "OBJECT_CHANGED" },
    ],
    [
      "an answer of another version, whatever was asked",
      reading,
      (_, response) => {
        response.writeHead(206, { etag: '"other"', "content-range": "bytes 0-9/10" }).end("9876543210");
        return true;
      },
      { reason: "OBJECT_CHANGED" },
    ],
    [
      "another length",
      reading,
      (_, response) => {
        const headers = { etag: '"781e5e245d69b566979b86e28d23f2c7"', "content-range": "bytes 0-9/11" };
        response.writeHead(206, headers).end("0123456789");
        return true;
      },
      { reason: "OBJECT_CHANGED" },
    ],
    [
      "an object that has gone",
      reading,
      (_, response) => refuse(response, 404, "NoSuchKey"),
      { reason: "OBJECT_CHANGED" },
    ],
    [
      "a body that is cut",
      reading,
      (_, response) => {
        const headers = { etag: '"781e5e245d69b566979b86e28d23f2c7"', "content-range": "bytes 0-9/10" };
        response.writeHead(206, headers).end("01234");
        return true;
      },
      { reason: "UPSTREAM_PROTOCOL", message: "s3://lake/x: the answer broke off 5 bytes before its end." },
    ],
    [
      "a body that is longer",
      reading,
      (_, response) => {
        const headers = { etag: '"781e5e245d69b566979b86e28d23f2c7"', "content-range": "bytes 0-9/10" };
        response.writeHead(206, headers).end("0123456789AB");
        return true;
      },
      { reason: "UPSTREAM_PROTOCOL" },
    ],
    [
      "a connection that breaks",
      reading,
      (_, response) => response.destroy().destroyed,
      { reason: "HOST_UNREACHABLE" },
    ],
    [
      "a listing without end",
      listing,
      (_, response) => {
        response.end(
          "<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>a</NextContinuationToken></ListBucketResult>",
        );
        return true;
      },
      { reason: "UPSTREAM_PROTOCOL", message: expect.stringContaining("comes back") },
    ],
    [
      "a listing that has more and does not say how to go on",
      listing,
      (_, response) => say(response, 200, {}, "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>"),
      { reason: "UPSTREAM_PROTOCOL" },
    ],
    [
      "a listing that is cut",
      listing,
      (_, response) => say(response, 200, {}, "<ListBucketResult><Contents><Key>a"),
      { reason: "UPSTREAM_PROTOCOL" },
    ],
  ])("%s", async (_what, work, fault, expected) => {
    const connection = typeof fault === "function" ? {} : fault;
    if (typeof fault === "function") server.fault = fault as S3Fault;
    const original = server.connectionInfo.bind(server);
    Object.assign(server, { connectionInfo: (more: object) => original({ ...connection, ...more }) });
    expect(await failureOf(work())).toMatchObject(expected);
  });

  it("a redirect to another host is not followed, and keys go nowhere", async () => {
    const other = await startS3Server();
    servers.push(other);
    server.fault = (_, response) => {
      const headers = { location: `http://${other.endpoint}/lake/x`, "x-amz-bucket-region": "../evil.example/" };
      refuse(response, 301, "PermanentRedirect", `<Endpoint>${other.endpoint}</Endpoint>`, headers);
      return true;
    };
    expect(await failureOf(listing())).toMatchObject({ reason: "AUTHENTICATION", engineCode: "PermanentRedirect" });
    expect(other.requests).toEqual([]);
  });

  it("a store that is left is not read any further", async () => {
    server.objects.set("x", new Uint8Array(10));
    server.fault = ({ method }, response) => {
      if (method !== "GET") return false;
      response.writeHead(206, { etag: '"e"', "content-range": "bytes 0-9/10" });
      response.write("0");
      return true;
    };
    const caller = new AbortController();
    const stream = await store().read({ key: "x", size: 10, etag: '"e"' }, 0, 10, caller.signal);
    const reader = stream.getReader();
    expect((await reader.read()).value).toEqual(bytes("0"));
    const reason = new Error("gone");
    caller.abort(reason);
    await expect(reader.read()).rejects.toBe(reason);
  });
});

describe("a store that is waited for", () => {
  const etag = '"781e5e245d69b566979b86e28d23f2c7"';
  const object = { key: "x", size: 10, etag };
  const QUICK: Patience = { stallMs: 60, leastBytes: 5, pauses: [1, 2, 3] };
  const impatient = (more: Partial<Patience> = {}) => {
    const { info } = parseConnection("minio_file", server.connectionInfo());
    if (info.source !== "minio_file") throw new Error("another source");
    return new S3Store(info, { service: "minio", fetch, patience: { ...QUICK, ...more } });
  };
  const read = async (signal = never, more: Partial<Patience> = {}): Promise<string> =>
    new Response(await impatient(more).read(object, 0, 10, signal)).text();
  const gets = (): number => server.requests.filter((request) => request.startsWith("GET")).length;

  /** Fails so often, and then answers as a store does. */
  const failing = (times: number, fault: S3Fault): void => {
    let left = times;
    server.fault = (request, response) => request.method === "GET" && left-- > 0 && fault(request, response);
  };

  it.each<[what: string, S3Fault]>([
    ["SlowDown", (_, response) => refuse(response, 503, "SlowDown")],
    ["SlowDown that says when", (_, response) => refuse(response, 503, "SlowDown", "", { "retry-after": "0" })],
    ["InternalError", (_, response) => refuse(response, 500, "InternalError")],
    ["a balancer's page", (_, response) => say(response, 502, {}, "<html></html>")],
  ])("is asked again after %s, four times in all", async (_what, fault) => {
    server.objects.set("x", bytes("0123456789"));
    failing(3, fault);
    expect(await read()).toBe("0123456789");
    expect(gets()).toBe(4);
    failing(4, fault);
    expect(await failureOf(read())).toMatchObject({ reason: "OVERLOADED" });
    expect(gets()).toBe(8);
  });

  it.each<[what: string, S3Fault, object]>([
    [
      "that says to come back much later",
      (_, response) => refuse(response, 503, "SlowDown", "", { "retry-after": "7" }),
      { reason: "OVERLOADED", retryAfter: 7 },
    ],
    ["that denies", (_, response) => refuse(response, 403, "AccessDenied"), { reason: "AUTHENTICATION" }],
    [
      "that has another version",
      (_, response) => refuse(response, 412, "PreconditionFailed"),
      { reason: "OBJECT_CHANGED" },
    ],
  ])("is asked once where it is one %s", async (_what, fault, expected) => {
    failing(9, fault);
    expect(await failureOf(read())).toMatchObject(expected);
    expect(gets()).toBe(1);
  });

  it("is looked at again by the request that follows a HEAD", async () => {
    server.objects.set("x", bytes("0123456789"));
    server.fault = ({ method }, response) => method === "HEAD" && say(response, 503, {}, "");
    expect(await impatient().head("x", never)).toEqual(object);
    expect(server.requests).toEqual(["HEAD x", "GET x bytes=0-0"]);
  });

  it.each([
    ["that a kept connection is lost", "Network connection lost.", 1, undefined],
    ["that it is lost again", "Network connection lost.", 2, "HOST_UNREACHABLE"],
    ["that a name is none", "internal error", 1, "HOST_UNREACHABLE"],
  ])("is asked once more where the platform tells %s", async (_what, message, times, reason) => {
    server.objects.set("a", bytes("1"));
    let left = times;
    const losing: typeof fetch = (...asked) => (left-- > 0 ? Promise.reject(new Error(message)) : fetch(...asked));
    const looked = store({}, losing).head("a", never);
    if (reason === undefined) expect(await looked).toMatchObject({ size: 1 });
    else expect(await failureOf(looked)).toMatchObject({ reason });
  });

  it("is not asked again for a caller that has gone", async () => {
    const caller = new AbortController();
    const reason = new Error("gone");
    failing(9, (_, response) => {
      setTimeout(() => caller.abort(reason), 20);
      return refuse(response, 503, "SlowDown");
    });
    await expect(read(caller.signal, { pauses: [60_000] })).rejects.toBe(reason);
    expect(gets()).toBe(1);
  });

  const head = { etag, "content-range": "bytes 0-9/10" };
  it.each<[what: string, S3Fault]>([
    ["does not answer", () => true],
    [
      "begins and stands still",
      (_, response) => {
        response.writeHead(206, head).write("01");
        return true;
      },
    ],
    [
      "drips",
      (_, response) => {
        response.writeHead(206, head).write("0");
        const timer = setInterval(() => response.write("1"), 25);
        response.on("close", () => clearInterval(timer));
        return true;
      },
    ],
  ])("and %s is left, with its connection", async (_what, fault) => {
    const closed = new Promise<void>((resolve) => {
      failing(1, (request, response) => {
        response.on("close", () => resolve());
        return fault(request, response);
      });
    });
    const failure = await failureOf(read());
    expect(failure).toMatchObject({ reason: "UPSTREAM_PROTOCOL", message: expect.stringContaining("too slow") });
    await closed;
    expect(gets()).toBe(1);
  });

  it("may take its time as long as bytes come", async () => {
    failing(1, (_, response) => {
      response.writeHead(206, head).write("01234");
      setTimeout(() => response.write("56789"), 40);
      setTimeout(() => response.end(), 80);
      return true;
    });
    expect(await read()).toBe("0123456789");
  });

  it("may be read as slowly as its reader wants", async () => {
    server.objects.set("x", bytes("0123456789"));
    const stream = await impatient({ stallMs: 40 }).read(object, 0, 10, never);
    await new Promise((resolve) => setTimeout(resolve, 80));
    expect(await new Response(stream).text()).toBe("0123456789");
  });

  it("is left by an abort, also while it is asked whether a missing object is a folder", async () => {
    const caller = new AbortController();
    const reason = cancelled(caller.signal);
    expect(reason).toBeInstanceOf(ConnectorFailure);
    server.fault = ({ isListing }) => {
      if (isListing) caller.abort(reason);
      return isListing;
    };
    await expect(objectsAt(store(), "data", caller.signal)).rejects.toBe(reason);
  });
});

describe("addresses", () => {
  const asked = async (source: "s3_file" | "gcs_file", connection: object): Promise<Request> => {
    const { info } = parseConnection(source, connection);
    if (info.source !== "s3_file" && info.source !== "gcs_file") throw new Error("another source");
    let request: Request | undefined;
    const fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
      request = new Request(input, init);
      return new Response(null, { status: 200, headers: { etag: '"e"', "content-length": "3" } });
    };
    await openStore(info, fetch as typeof globalThis.fetch).head("a b.csv", never);
    if (request === undefined) throw new Error("nothing was asked");
    return request;
  };
  const s3 = { bucket: "sales", region: "eu-west-1", access_key: "AKID", secret_key: "s" };

  it.each<["s3_file" | "gcs_file", object, string, string]>([
    ["s3_file", s3, "https://sales.s3.eu-west-1.amazonaws.com/a%20b.csv", "eu-west-1"],
    ["s3_file", { ...s3, url_style: "path" }, "https://s3.eu-west-1.amazonaws.com/sales/a%20b.csv", "eu-west-1"],
    ["s3_file", { ...s3, bucket: "a.b" }, "https://s3.eu-west-1.amazonaws.com/a.b/a%20b.csv", "eu-west-1"],
    [
      "s3_file",
      { ...s3, region: "cn-north-1" },
      "https://sales.s3.cn-north-1.amazonaws.com.cn/a%20b.csv",
      "cn-north-1",
    ],
    [
      "s3_file",
      { ...s3, endpoint: "https://abc.r2.cloudflarestorage.com", region: "auto" },
      "https://abc.r2.cloudflarestorage.com/sales/a%20b.csv",
      "auto",
    ],
    [
      "s3_file",
      { ...s3, endpoint: "objects.example.com:8443", url_style: "vhost" },
      "https://sales.objects.example.com:8443/a%20b.csv",
      "eu-west-1",
    ],
    [
      "gcs_file",
      { bucket: "sales_1", key_id: "GOOG1", secret_key: "s" },
      "https://storage.googleapis.com/sales_1/a%20b.csv",
      "auto",
    ],
  ])("%s %j", async (source, connection, address, region) => {
    const request = await asked(source, connection);
    expect(request.url).toBe(address);
    expect(request.headers.get("authorization")).toContain(`/${region}/s3/aws4_request`);
  });

  it("a bucket in another region is asked for there, at AWS and nowhere else", async () => {
    const { info } = parseConnection("s3_file", s3);
    if (info.source !== "s3_file") throw new Error("another source");
    const asked: string[] = [];
    const fetch = async (input: string | URL | Request): Promise<Response> => {
      asked.push(String(input));
      if (asked.length > 1) return new Response(null, { headers: { etag: '"e"', "content-length": "3" } });
      return new Response(null, {
        status: 301,
        headers: { "x-amz-bucket-region": "us-east-2", location: "https://evil/" },
      });
    };
    expect(await openStore(info, fetch as typeof globalThis.fetch).head("x", never)).toMatchObject({ size: 3 });
    expect(asked).toEqual(["https://sales.s3.eu-west-1.amazonaws.com/x", "https://sales.s3.us-east-2.amazonaws.com/x"]);
  });
});
