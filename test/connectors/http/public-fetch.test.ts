import { describe, expect, test } from "vitest";
import { localFetch, publicFetch } from "../../../src/connectors/http/public-fetch.ts";

function recording() {
  const asked: [string, RequestInit | undefined][] = [];
  const by: typeof fetch = async (input, init) => {
    asked.push([input instanceof Request ? input.url : String(input), init]);
    return new Response("rows");
  };
  return { asked, by, fetch: publicFetch(by) };
}

describe("fetch of a Worker's connectors", () => {
  test.each([
    "http://db.example.com/sql",
    "ftp://db.example.com/sql",
    "https://localhost/sql",
    "https://127.0.0.1/sql",
    "https://2130706433/sql",
    "https://0x7f.1/sql",
    "https://[::1]/sql",
    "https://[::ffff:10.0.0.1]/sql",
    "https://10.1.2.3/sql",
    "https://intranet/sql",
    "https://db.internal/sql",
    "https://169.254.169.254/latest/meta-data/",
    "https://metadata.google.internal/computeMetadata/v1/",
    "https://１６９.254.169.254/",
  ])("asks nothing of %s", async (url) => {
    const { asked, fetch } = recording();
    for (const input of [url, new URL(url), new Request(url)]) {
      await expect(fetch(input)).rejects.toMatchObject({ reason: "EGRESS_DENIED" });
    }
    expect(asked).toEqual([]);
  });

  test.each(["https://api.eu.neon.tech/sql", "https://8.8.8.8/sql", "https://db.example.com:8443/sql?a=b"])(
    "asks %s, and follows no redirect whatever the connector says",
    async (url) => {
      const { asked, fetch } = recording();
      const response = await fetch(url, { method: "POST", body: "SELECT 1", redirect: "follow" });
      expect(await response.text()).toBe("rows");
      expect(asked).toEqual([[url, { method: "POST", body: "SELECT 1", redirect: "manual" }]]);
    },
  );

  test("tells nothing of what an address holds besides its host", async () => {
    const { fetch } = recording();
    const refusal = await fetch("https://user:secret@10.0.0.1/path?token=secret").catch(
      (error: Error) => error.message,
    );
    expect(refusal).toBe("A Worker asks nothing of https://10.0.0.1.");
  });
});

describe("fetch of a Worker for local development", () => {
  test.each([
    "http://127.0.0.1:9000/lake",
    "http://minio:9000/lake",
    "https://10.1.2.3/lake",
    "https://db.example.com/",
  ])("asks %s, and follows no redirect", async (url) => {
    const { asked, by } = recording();
    await localFetch(by)(url);
    expect(asked).toEqual([[url, { redirect: "manual" }]]);
  });

  test.each([
    "http://169.254.169.254/latest/meta-data/",
    "http://metadata.google.internal/",
    "http://[fd00:ec2::254]/",
  ])("asks nothing of %s", async (url) => {
    const { asked, by } = recording();
    await expect(localFetch(by)(url)).rejects.toMatchObject({ reason: "EGRESS_DENIED" });
    expect(asked).toEqual([]);
  });
});
