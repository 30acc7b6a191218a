/** Names of a model are checked by the compiler: each line below an `@ts-expect-error` fails to compile without its fault. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type CubeQuery, siskin } from "../../../clients/typescript/src/index.ts";
import { siskin as command } from "../../support/terminal.ts";
import type { Shop } from "./shop.ts";

const shop = siskin<Shop>({ url: "http://127.0.0.1:9", project: "shop" });
const any = siskin({ url: "http://127.0.0.1:9", project: "shop" });

/** Never called: the compiler reads it. */
function compiled(): readonly unknown[] {
  return [
    shop.cube({ cube: "sales", measures: ["revenue"], dimensions: ["status"] }),
    shop.cube({ cube: "sales", timeDimensions: [{ dimension: "ordered_on", granularity: "month" }] }),
    shop.cube({ cube: "sales", filters: [{ dimension: "status", operator: "eq", value: { parameter: 1 } }] }),
    shop.query<Shop["models"]["orders"]>("SELECT * FROM orders"),
    any.cube({ cube: "anything", measures: ["any"] }),
    // @ts-expect-error: the model has no such cube.
    shop.cube({ cube: "sale", measures: ["revenue"] }),
    // @ts-expect-error: the cube has no such measure.
    shop.cube({ cube: "sales", measures: ["revenu"] }),
    // @ts-expect-error: a measure is no dimension.
    shop.cube({ cube: "sales", dimensions: ["revenue"] }),
    // @ts-expect-error: granularities are words of a list.
    shop.cube({ cube: "sales", timeDimensions: [{ dimension: "ordered_on", granularity: "decade" }] }),
    // @ts-expect-error: operators are words of a list.
    shop.cube({ cube: "sales", filters: [{ dimension: "status", operator: "=", value: "O" }] }),
    // @ts-expect-error: an order has a member of the cube.
    shop.cube({ cube: "sales", orderBy: [{ member: "total" }] }),
    // @ts-expect-error: options have no such member.
    shop.query("SELECT 1", { paramters: [1] }),
    // @ts-expect-error: a parameter is a value.
    shop.query("SELECT $1", { parameters: [undefined] }),
    // @ts-expect-error: the client needs a project.
    siskin({ url: "http://127.0.0.1:9" }),
  ];
}

test("the types of the example are those of the command", async () => {
  const manifest = join(import.meta.dirname, "../../../examples/tpch/manifest.json");
  const { out } = await command(["types", "--manifest", manifest, "--source", "duckdb", "--name", "Shop"]);
  expect(out).toBe(readFileSync(join(import.meta.dirname, "shop.ts"), "utf8"));
  const query: CubeQuery<Shop> = { cube: "sales", measures: ["revenue"] };
  expect([query.cube, typeof compiled]).toEqual(["sales", "function"]);
});
