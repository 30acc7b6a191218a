import { expect, test } from "vitest";
import { hashOf, projectIn, questionIn } from "../../src/explorer/link.ts";

test.each(["SELECT 1", "SELECT 'ä&#%+ =\n\u{1f426}'", 'SELECT "a b" -- ?#'])("a link keeps the question %j", (sql) => {
  expect(questionIn(hashOf({ kind: "sql", sql }))).toEqual({ kind: "sql", sql });
});

test.each(["", "#", "#sql=", "#other=SELECT", `#sql=${"x".repeat(100_001)}`])("%.20s holds no question", (hash) => {
  expect(questionIn(hash)).toBeUndefined();
});

test.each([
  ["/explore/shop", "shop"],
  ["/explore", undefined],
  ["/explore/", undefined],
  ["/explore/a/b", undefined],
  ["/explore/<img>", undefined],
])("%s names the project %s", (path, name) => {
  expect(projectIn(path)).toBe(name);
});
