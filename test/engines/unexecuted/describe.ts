/** Statements that are only planned: which are refused, and what those that are not answer when they are read back. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { titled } from "../../parity/queries.ts";
import { SHARE } from "../../support/share.ts";
import { type OpenedSource, openDuckDbFiles } from "../../support/sources.ts";
import { corpusVerdicts } from "./corpus.ts";
import { answerOf, corpusQuestions, type Unexecuted } from "./questions.ts";
import { hasReader } from "./read-back.ts";
import { type Suite, type Text, textsOf, verdictOf } from "./suites.ts";

/** One in so many questions; `READ_BACK=all` asks them all, and `npm run parity` does. With `test/support/share.ts` fewer. */
const IS_WHOLE = process.env["READ_BACK"] === "all";
const EVERY = IS_WHOLE ? 1 : 4 * SHARE;
const OF_CORPUS = IS_WHOLE ? { schemas: 1, share: 1 } : { schemas: 5, share: 24 * SHARE };

export interface ReadBack {
  readonly own: Unexecuted;
  readonly suites: readonly Suite[];
  /** Says the source's statements for DuckDB. */
  readonly script: URL;
  /** Questions that DuckDB answers otherwise, and why that is no fault of the statement. */
  readonly different: Readonly<Record<string, string>>;
}

export function describeReadBack({ own, suites, script, different }: ReadBack): void {
  if (!hasReader()) test.skip("not run: npm run engines installs sqlglot", () => {});

  test("what is answered otherwise is asked", () => {
    const names = new Set(
      [...suites.flatMap((suite) => suite.questions), ...corpusQuestions(own)].map(({ name }) => name),
    );
    expect(Object.keys(different).filter((name) => !names.has(name))).toEqual([]);
  });

  test.each(suites)("of the $name those are refused that are listed", ({ questions, refused }) => {
    const found = questions.filter((question) => "refusal" in answerOf(question));
    expect(found.map(({ name }) => name).sort()).toEqual([...refused].sort());
  });

  describe.skipIf(!hasReader()).each(suites)("$name, read back", (suite) => {
    const { refused, directory } = suite;
    const questions = suite.questions.filter(
      ({ name }, index) => index % EVERY === 0 || Object.hasOwn(different, name),
    );
    let opened: OpenedSource;
    let texts: ReadonlyMap<string, Text>;
    beforeAll(async () => {
      opened = await openDuckDbFiles(directory);
      texts = textsOf({ ...suite, questions });
    });
    afterAll(() => opened?.close());

    test.each(titled(questions.filter(({ name }) => !refused.includes(name))))("%s", async (_, question) => {
      const text = texts.get(question.name);
      if (text === undefined) throw new TypeError(`${question.name} has no plan`);
      const verdict = await verdictOf(question, text, suite, opened);
      if (Object.hasOwn(different, question.name)) expect(verdict.outcome).not.toBe("right");
      else expect(verdict).toEqual({ outcome: "right" });
    });
  });
  test.skipIf(!hasReader())("the corpus, read back", { timeout: 600_000 }, async () => {
    const verdicts = await corpusVerdicts(own, script, OF_CORPUS, new Set(Object.keys(different)));
    const unexpected = verdicts.filter(
      ({ name, verdict }) => (verdict.outcome === "right") === Object.hasOwn(different, name),
    );
    expect(unexpected).toEqual([]);
  });
}
