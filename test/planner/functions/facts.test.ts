/** Facts about functions that passes use: each was once a separate list of names. */
import { describe, expect, test } from "vitest";
import { findFunction, functionNames } from "../../../src/planner/functions/catalogue.ts";
import { carriesDigits, type FunctionSpecification } from "../../../src/planner/functions/specification.ts";

const having = (fact: (specification: FunctionSpecification) => boolean): string =>
  functionNames()
    .filter((name) => {
      const specification = findFunction(name);
      return specification !== undefined && fact(specification);
    })
    .sort()
    .join(" ");

test.each<[what: string, fact: (specification: FunctionSpecification) => boolean, names: string]>([
  [
    "carry digits",
    carriesDigits,
    "abs any_value coalesce first_value greatest lag last_value lead least max min mod nth_value nullif sum",
  ],
  [
    "have the digits of the first argument",
    ({ digits }) => digits === "of the first",
    "abs any_value first_value last_value max min nth_value nullif sum",
  ],
  ["have the digits of all arguments", ({ digits }) => digits === "of all", "coalesce greatest least mod"],
  ["have the digits of a default, too", ({ digits }) => digits === "of value and default", "lag lead"],
  ["have the digits that are asked for", ({ digits }) => digits === "asked for", "round trunc"],
  ["have no digits behind the point", ({ digits }) => digits === "none", "ceil floor sign"],
  [
    "compute digits",
    ({ digits }) => digits === "computed",
    "avg exp ln log log10 power sqrt stddev_pop stddev_samp var_pop var_samp",
  ],
  [
    "choose",
    ({ chooses }) => chooses === true,
    "any_value coalesce first_value greatest lag last_value lead least max min nth_value nullif",
  ],
  ["compare", ({ compares }) => compares === true, "greatest least max min"],
  [
    "are indifferent to repetition",
    ({ repetition }) => repetition === "indifferent",
    "any_value approx_count_distinct bit_and bit_or bool_and bool_or grouping max min",
  ],
  [
    "are indifferent to one value that is repeated",
    ({ repetition }) => repetition === "indifferent to one value",
    "avg mode percentile_cont percentile_disc stddev_pop var_pop",
  ],
  ["collect values", ({ collects }) => collects === true, "array_agg json_agg jsonb_agg string_agg"],
  ["keep NULLs", ({ keepsNulls }) => keepsNulls === true, "json_agg json_object_agg jsonb_agg jsonb_object_agg"],
  ["choose of an ordered set", ({ orderedSet }) => orderedSet === "chosen", "mode percentile_disc"],
  ["interpolate in an ordered set", ({ orderedSet }) => orderedSet === "interpolated", "percentile_cont"],
  [
    "want a type in PostgreSQL",
    ({ polymorphic }) => polymorphic === true,
    "any_value array_agg first_value lag last_value lead nth_value",
  ],
  ["are random", ({ safety }) => safety === "random", "gen_random_uuid random"],
  [
    "never raise without arguments",
    ({ neverRaises }) => neverRaises === "none",
    "cume_dist dense_rank percent_rank rank row_number",
  ],
  [
    "never raise over one value",
    ({ neverRaises }) => neverRaises === "one",
    "any_value count first_value lag last_value lead max min",
  ],
  ["never raise over booleans", ({ neverRaises }) => neverRaises === "booleans", "bool_and bool_or"],
  ["never raise over exact numbers", ({ neverRaises }) => neverRaises === "exact numbers", "avg sum"],
  [
    "never raise over values that are comparable",
    ({ neverRaises }) => neverRaises === "comparable",
    "coalesce greatest least nullif",
  ],
])("those that %s", (_what, fact, names) => expect(having(fact)).toBe(names));

describe("facts fit the kind of the function", () => {
  test.each(functionNames())("%s", (name) => {
    const { kind, repetition, collects, keepsNulls, orderedSet, safety, result } = findFunction(name)!;
    if (kind !== "aggregate") {
      expect([repetition, collects, keepsNulls, orderedSet]).toEqual([undefined, undefined, undefined, undefined]);
    }
    if (safety !== "pure") expect(kind).toBe("scalar");
    expect(result).toBeTypeOf("function");
  });
});
