/** The prompt `answer`: the order of the tools for one question. */
import {
  type GetPromptRequestParams,
  type GetPromptResult,
  type ListPromptsResult,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import type { Session } from "./use-cases.ts";

const LONGEST_QUESTION = 2000;

export const PROMPTS: ListPromptsResult = {
  prompts: [
    {
      name: "answer",
      title: "Answer a question",
      description: "Answers a question about the project's data with checked SQL.",
      arguments: [{ name: "question", description: "The question.", required: true }],
    },
  ],
};

export function answerPrompt(_session: Session, { name, arguments: given }: GetPromptRequestParams): GetPromptResult {
  const question = given?.["question"];
  if (name !== "answer") throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no prompt of that name.");
  if (question === undefined || question === "" || question.length > LONGEST_QUESTION) {
    const message = `The argument question must have 1 to ${LONGEST_QUESTION} characters.`;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
  }
  const text = `Answer this question with the tools of Siskin:

${question}

1. search with words of the question; an example that matches is the best start.
2. describe the models and cubes that you need.
3. values for each text that a filter compares.
4. check the statement; repair it by the hint and the similar names of the error.
5. query or query_cube.

State the answer, the SQL, and every warning. Say when the answer is truncated, and that row rules applied where the result says so.`;
  return { messages: [{ role: "user", content: { type: "text", text } }] };
}
