/** The fenced blocks of documents, for tests that run their examples. */

export interface Block {
  readonly language: string;
  readonly text: string;
}

export const blocksOf = (page: string): readonly Block[] =>
  [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = "", text = ""]) => ({
    language,
    text: text.trim(),
  }));

/** A JSON answer, with dots for the parts of an error that are new with every request. */
export function settled(answer: unknown): unknown {
  if (typeof answer !== "object" || answer === null || !("correlationId" in answer)) return answer;
  return { ...answer, correlationId: "…", timestamp: "…" };
}
