import { describe, expect, it } from "vitest";
import { canonicalDorisConnection, parseDorisConnection } from "../../../src/connectors/connection/doris.ts";

const FIELDS = { host: "fe.example.com", port: "9030", database: "shop", user: "reader" };

describe("the connection", () => {
  it("takes TLS where a frontend offers it, unless something else is asked for", () => {
    expect(parseDorisConnection(FIELDS).info).toMatchObject({
      source: "doris",
      port: 9030,
      tls: "prefer",
      password: undefined,
    });
    expect(parseDorisConnection({ ...FIELDS, sslMode: "VERIFY_IDENTITY" }).info.tls).toBe("verify-identity");
    expect(parseDorisConnection({ ...FIELDS, kwargs: { ssl_mode: "DISABLED" } }).info.tls).toBe("disable");
  });

  it("takes a port that is a number, and a URL, whose port is that of queries", () => {
    expect(parseDorisConnection({ ...FIELDS, port: 9130 }).info.port).toBe(9130);
    const { info } = parseDorisConnection({ connectionUrl: "doris://u:p%40@fe.example.com/shop" });
    expect(info).toMatchObject({ host: "fe.example.com", port: 9030, database: "shop", user: "u" });
    expect(info.password?.reveal()).toBe("p@");
    expect(() => parseDorisConnection({ connectionUrl: "postgres://u@h/d" })).toThrow("doris:// or mysql://");
  });

  it.each(["host", "port", "database", "user"])("without %s is refused", (member) => {
    expect(() => parseDorisConnection({ ...FIELDS, [member]: undefined })).toThrow(member);
  });

  it.each([
    ["init_command", "DROP TABLE t"],
    ["local_infile", true],
    ["unix_socket", "/tmp/s"],
  ])("with the option %s is refused", (name, value) => {
    expect(() => parseDorisConnection({ ...FIELDS, kwargs: { [name]: value } })).toThrow(name);
  });

  it("has a canonical form that parses back", () => {
    const { info } = parseDorisConnection({ ...FIELDS, password: "p", kwargs: { connect_timeout: 3 } });
    expect(parseDorisConnection(canonicalDorisConnection(info)).info).toEqual(info);
  });
});
