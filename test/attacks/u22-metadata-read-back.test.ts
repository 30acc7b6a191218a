/** Metadata's composite keys ("order_id,line") were "no column" as the primaryKey of a manifest, and so was its "" for no key. */
import { describe, expect, it } from "vitest";
import { manifestOf, planned } from "../support/plan.ts";

const column = (name: string, type = "INTEGER") => ({ name, type });

/** Whether `amount` may be selected beside the key, which needs the key to be known. */
function answer(primaryKey: string | readonly string[], names = ["order_id", "line"]): string {
  const columns = [...names.map((name) => column(name)), column("amount", "DECIMAL")];
  const models = [{ name: "lines", tableReference: { table: "lines" }, primaryKey, columns }];
  const keys = names.map((name) => `"${name}"`).join(", ");
  try {
    planned(`SELECT ${keys}, amount FROM lines GROUP BY ${keys}`, manifestOf({ catalog: "c", schema: "s", models }));
    return "planned";
  } catch (error) {
    return (error as { readonly reason?: string }).reason ?? String(error);
  }
}

describe("the primaryKey of a model", () => {
  it.each([
    ["order_id,line", "planned"],
    ["order_id, line", "planned"],
    [["order_id", "line"], "planned"],
    ["", "UNGROUPED_COLUMN"],
    ["order_id,lime", "UNGROUPED_COLUMN"],
  ] as const)("%j", (key, expected) => {
    expect(answer(key)).toBe(expected);
  });

  it("may have a comma of its own", () => {
    expect(answer("a,b", ["a,b"])).toBe("planned");
  });
});
