/**
 * Google's own client speaks to our fake of Google's hosts: it logs in, asks, pages and reports errors there. It is a judge of the
 * fake, not a driver of ours: it reads integers as doubles.
 */
import { BigQuery, type BigQueryOptions } from "@google-cloud/bigquery";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FakeGoogle, makeAccount, PROJECT, STATEMENTS, startFakeGoogle } from "./rest.ts";

/** The client of its login, whose requests go to the fake in place of Google's host. */
interface Login {
  readonly transporter: { readonly defaults: { fetchImplementation?: typeof fetch } };
}

let fake: FakeGoogle;
let client: BigQuery;
beforeAll(async () => {
  const account = makeAccount();
  fake = await startFakeGoogle(account);
  const { client_email, private_key } = account.file;
  const options = { useAuthWithCustomEndpoint: true, scopes: ["https://www.googleapis.com/auth/cloud-platform"] };
  client = new BigQuery({
    ...options,
    projectId: PROJECT,
    credentials: { client_email, private_key },
    apiEndpoint: fake.url,
  } as BigQueryOptions);
  const login = (await client.authClient.getClient()) as unknown as Login;
  login.transporter.defaults.fetchImplementation = fake.fetch;
});
afterAll(() => fake.close());

const rowsOf = async (query: string, options: object = {}): Promise<readonly unknown[]> => {
  const [rows] = await client.query({ query, ...options });
  return rows;
};

describe("Google's client", () => {
  it("logs in by the account's key, and gets all rows without saying how many it wants", async () => {
    expect(await rowsOf(STATEMENTS.numbers(3))).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
    expect(fake.asked).toEqual(["POST /token", "POST /bigquery/v2/projects/acme/queries"]);
    expect(fake.questions[0]).not.toHaveProperty("maxResults");
  });

  it("pages through what is longer", async () => {
    const rows = await rowsOf(STATEMENTS.numbers(2500));
    expect([rows.length, rows.at(-1)]).toEqual([2500, { n: 2500 }]);
    expect(await rowsOf(STATEMENTS.numbers(5), { maxResults: 2 })).toHaveLength(5);
  });

  it("reads every kind of value, NULL and no rows", async () => {
    expect(await rowsOf(STATEMENTS.nulls)).toEqual([{ a: 1, b: "x", c: null, d: null }]);
    expect(await rowsOf(STATEMENTS.numbers(0))).toEqual([]);
  });

  it.each([
    ["a syntax error", STATEMENTS.syntaxError, 400, /^Syntax error: Unexpected keyword FROM at \[1:8\]$/],
    ["a missing table", STATEMENTS.unknownTable, 404, /^Not found: Table/],
    ["an error while it runs", STATEMENTS.failsWhenRun, 400, /^division by zero/],
  ])("reports %s", async (_name, sql, code, message) => {
    await expect(rowsOf(sql)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });

  it("lists datasets", async () => {
    const [datasets] = await client.getDatasets();
    expect(datasets.map(({ id }) => id)).toEqual(["sales"]);
  });
});
