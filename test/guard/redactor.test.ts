import { describe, expect, it, vi } from "vitest";
import { redactDeep, redactorFor, redactorOfBoth, redactorOfOperator } from "../../src/guard/redactor.ts";

const base64 = (text: string): string => Buffer.from(text).toString("base64");

describe("the redactor", () => {
  it.each([
    ["a password", { password: "hunter2!" }, "login with hunter2! failed", "login with *** failed"],
    ["it twice", { password: "hunter2!" }, "hunter2!hunter2!", "******"],
    ["it percent-encoded", { password: "a b/c?" }, "u:a%20b%2Fc%3F@h", "u:***@h"],
    ["it form-encoded", { password: "a b/c?" }, "p=a+b%2Fc%3F", "p=***"],
    ["it in lower-case percent-encoding", { password: "a b/c?" }, "a%20b%2fc%3f", "***"],
    ["it in base64", { password: "hunter2!" }, base64("hunter2!"), "***"],
    [
      "it in basic authentication",
      { user: "bob", password: "hunter2!" },
      `Basic ${base64("bob:hunter2!")}`,
      "Basic ***",
    ],
    ["it inside JSON", { password: 'a"b\\c' }, '{"password":"a\\"b\\\\c"}', '{"password":"***"}'],
    ["it inside a SQL literal", { password: "it's" }, "IDENTIFIED BY 'it''s'", "IDENTIFIED BY '***'"],
    ["what percent-decoding makes of it", { password: "a%40bcd" }, "a@bcd", "***"],
    ["the password of a URL", { connectionUrl: "postgres://u:s3cr3t@h/db" }, "auth s3cr3t", "auth ***"],
    [
      "the password of a URL with an @ in it",
      { connectionUrl: "postgres://u:s3@cr3t@h/db" },
      "auth s3@cr3t",
      "auth ***",
    ],
    [
      "a password in the query of a URL",
      { connectionUrl: "clickhouse://h/db?password=s3cr3t&x=1" },
      "auth s3cr3t",
      "auth ***",
    ],
    ["the password in a host that is a URL", { host: "https://u:s3cr3t@h" }, "s3cr3t at https://h", "*** at https://h"],
    ["members nobody has heard of", { someNewThing: "s3cr3t" }, "s3cr3t", "***"],
    ["nested members", { kwargs: { auth: [{ x: "s3cr3t" }] } }, "s3cr3t", "***"],
    ["a numeric password", { password: 123456 }, "pin 123456", "pin ***"],
    [
      "a line of a key",
      { private_key: "-----BEGIN-----\nAAAABBBBCCCCDDDD\n-----END-----" },
      "bad line AAAABBBBCCCCDDDD",
      "bad line ***",
    ],
    ["what base64 credentials hold", { credentials: base64('{"private_key":"s3cr3t-key"}') }, "s3cr3t-key", "***"],
    ["the pair in a list of options", { kwargs: { options: "a=1;password=s3cr3t" } }, "s3cr3t", "***"],
    [
      "the beginning of a long secret that is cut off",
      { token: "x".repeat(40) + "y".repeat(60) },
      `token ${"x".repeat(40)}…`,
      `token ***${"x".repeat(8)}…`,
    ],
  ])("hides %s", (_what, connectionInfo, text, expected) => {
    expect(redactorFor(connectionInfo).redact(text)).toBe(expected);
  });

  it.each([
    [
      "who and where",
      { host: "db.test", user: "test", database: "shop", port: "5432", password: "hunter2!" },
      'user "test" of shop at db.test:5432',
    ],
    ["short values", { password: "abc" }, "abcabc"],
    ["switches", { secure: "true", ssl: "false", mode: "default" }, "true false default"],
    ["texts without secrets", { password: "hunter2!" }, "nothing to hide"],
  ])("leaves %s", (_what, connectionInfo, text) => {
    expect(redactorFor(connectionInfo).redact(text)).toBe(text);
  });

  it.each([[undefined], [null], ["text"], [3], [[]], [{}]])(
    "takes whatever was sent as connectionInfo: %j",
    (connectionInfo) => {
      expect(redactorFor(connectionInfo).redact("nothing")).toBe("nothing");
    },
  );

  it("hides the whole of a secret that contains another one", () => {
    expect(redactorFor({ a: "hunter", b: "hunter2!" }).redact("hunter2! hunter")).toBe("*** ***");
  });

  it("says nothing at all when there are more secrets than any connection has", () => {
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`k${index}`, `secret-${index}`]));
    expect(redactorFor(many).redact("secret-999 and more")).toBe("***");
  });

  it("hides a secret of megabytes by its beginning, and makes no spellings of all of it", () => {
    const huge = "s3cr3t-".repeat(1_000_000);
    const encoders = [vi.spyOn(globalThis, "btoa"), vi.spyOn(globalThis, "encodeURIComponent")];
    expect(redactorFor({ password: huge }).redact(`begins ${huge.slice(0, 32)}`)).toBe("begins ***");
    const spelled = encoders.flatMap(({ mock }) => mock.calls.map(([text]) => String(text).length));
    expect(spelled.length).toBeGreaterThan(0);
    expect(Math.max(...spelled)).toBeLessThan(100);
    for (const encoder of encoders) encoder.mockRestore();
  });

  it("goes through data at any depth and pollutes nothing", () => {
    const value = JSON.parse('{"a":["hunter2!",1,null,{"__proto__":"hunter2!"}]}');
    expect(JSON.stringify(redactDeep(value, redactorFor({ password: "hunter2!" })))).toBe(
      '{"a":["***",1,null,{"__proto__":"***"}]}',
    );
  });
});

describe("a redactor of the operator's secrets", () => {
  const hidden = { raw: { user: "svc", password: "Hunter2!" }, whereAndWho: ["db-7.internal"] };
  const redact = (text: string, request: string, source?: { statements: string[]; isWithoutSecrets: boolean }) =>
    redactorOfOperator(hidden, () => request).redact(text, source);

  it.each<[string, string, string]>([
    ["hides what the request does not hold", "SELECT 1", "bad ***, ***"],
    ["leaves every form of what the request holds", "SELECT 'hunter2!'", `bad Hunter2!, ${base64("svc:Hunter2!")}`],
    [
      "leaves what the request holds in another form",
      `x ${base64("Hunter2!")}`,
      `bad Hunter2!, ${base64("svc:Hunter2!")}`,
    ],
  ])("%s", (_, request, expected) => {
    expect(redact(`bad Hunter2!, ${base64("svc:Hunter2!")}`, request)).toBe(expected);
  });

  it("leaves what a sent statement holds", () => {
    expect(redact("bad Hunter2!", "", { statements: ["SELECT 'Hunter2!'"], isWithoutSecrets: false })).toBe(
      "bad Hunter2!",
    );
  });

  it("hides host and user alone in a text of a server that never had the secrets", () => {
    const source = { statements: [], isWithoutSecrets: true };
    expect(redact("bad Hunter2! at db-7.internal", "", source)).toBe("bad Hunter2! at ***");
  });

  it("asks for the texts of the request only when there is a text to redact", () => {
    const texts = vi.fn(() => "");
    const redactor = redactorOfBoth(redactorFor({}), redactorOfOperator(hidden, texts));
    expect(texts).not.toHaveBeenCalled();
    expect(redactor.redactName("Hunter2!")).toBe("***");
    expect(texts).toHaveBeenCalledTimes(1);
  });
});
