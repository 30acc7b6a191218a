/** The same cases with the same answers, planned for Trino and run on it, or refused as its list says. */
import { describe } from "vitest";
import { REFUSED_BY_TRINO } from "../parity/refused/trino.ts";
import { copyIntoTrino, openTrinoSchema } from "../support/trino.ts";
import { hasTrino, WITHOUT_TRINO } from "../support/trino-server.ts";
import type { Spelling } from "./cases.ts";
import { writeFixtures } from "./fixture-files.ts";
import { askCases } from "./several-at-once.ts";

describe.skipIf(!hasTrino())(hasTrino() ? "Trino" : WITHOUT_TRINO, () => {
  askCases("trino", REFUSED_BY_TRINO.acceptance, async () => {
    const { name, connector, run, close } = await openTrinoSchema();
    const { files, remove } = await writeFixtures();
    await copyIntoTrino(run, files).finally(remove);
    const spellings: readonly Spelling[] = [["the schema", /\bmain\b(?="|\.)/g, name]];
    return { connector, close, engine: { source: "trino", scaleOfValues: true, spellings } };
  });
});
