import { describe, expect, test } from "vitest";
import { PYTHON, runSuites } from "./python.ts";

describe.skipIf(PYTHON === undefined)(
  PYTHON === undefined ? "not run: Python 3.10 or newer is missing" : "the Python client without a service",
  () => {
    test.each(["test_parameters", "test_transport"])("%s", async (suite) => {
      const { ran, skipped } = await runSuites(PYTHON!, [suite]);
      expect(ran).toBeGreaterThan(5);
      expect(skipped).toBe(0);
    });
  },
);
