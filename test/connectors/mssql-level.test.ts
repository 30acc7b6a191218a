import { expect, it } from "vitest";
import { variantAt } from "../../src/connectors/sources.ts";

it.each([
  ["Microsoft SQL Server 2022 (RTM) - 16.0.1000.6 (X64) (compatibility level 160)", [160]],
  ["Microsoft SQL Azure (RTM) - 12.0.2000.8 (compatibility level 170)", [170]],
  ["Microsoft SQL Server 2022 (RTM) - 16.0.1000.6 (X64) (compatibility level 90)", [90]],
])("%s", (version, level) => {
  expect(variantAt("mssql", version)).toEqual({ product: "mssql", version: level });
});

it("a server that does not tell its level is planned for as any", () => {
  expect(variantAt("mssql", "Microsoft SQL Server 2022 (RTM) - 16.0.1000.6 (X64)")).toBeUndefined();
});
