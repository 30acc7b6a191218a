import { expect, it } from "vitest";
import { type IsolationParts, isolationKey } from "../../src/connectors/isolation.ts";

const PARTS: IsolationParts = {
  caller: "ann",
  project: "shop",
  connection: '["minio_file",{"secret_key":"the-secret"}]',
  session: new Map([
    ["tenant", "'acme'"],
    ["level", undefined],
  ]),
};

const { project: _, ...withoutProject } = PARTS;

it.each<[what: string, parts: IsolationParts]>([
  ["another caller", { ...PARTS, caller: "bob" }],
  ["another connection", { ...PARTS, connection: '["minio_file",{"secret_key":"another"}]' }],
  ["another project", { ...PARTS, project: "store" }],
  ["no project", withoutProject],
  ["an empty project", { ...PARTS, project: "" }],
  [
    "another value",
    {
      ...PARTS,
      session: new Map([
        ["tenant", "'other'"],
        ["level", undefined],
      ]),
    },
  ],
  [
    "a value that is set",
    {
      ...PARTS,
      session: new Map([
        ["tenant", "'acme'"],
        ["level", "NULL"],
      ]),
    },
  ],
  [
    "values under each other's names",
    {
      ...PARTS,
      session: new Map([
        ["level", "'acme'"],
        ["tenant", undefined],
      ]),
    },
  ],
  ["fewer properties", { ...PARTS, session: new Map([["tenant", "'acme'"]]) }],
  ["the same text, divided otherwise", { ...PARTS, caller: 'ann","shop' }],
])("is another key for %s", async (_what, parts) => {
  expect(await isolationKey(parts)).not.toBe(await isolationKey(PARTS));
});

it("is the same key for the same parts in any order, and shows none of them", async () => {
  const key = await isolationKey(PARTS);
  expect(await isolationKey({ ...PARTS, session: new Map([...PARTS.session].toReversed()) })).toBe(key);
  expect(key).toMatch(/^[0-9a-f]{64}$/);
});
