import { expect, test } from "vitest";
import { targetOf } from "../../src/planner/dialects/targets.ts";
import { DATA_SOURCES } from "../../src/service/data-sources.ts";
import { ROW_GUARANTEES } from "../../src/service/row-guarantees.ts";

test.each(DATA_SOURCES)("%s has the guarantees that its dialect can give", (source) => {
  const { whenRaising, otherwise } = targetOf(source).fence;
  expect(ROW_GUARANTEES[source]).toEqual([
    ...(otherwise === "none" ? ["plain"] : []),
    ...(whenRaising === "refuse" ? [] : ["fenced"]),
  ]);
});
