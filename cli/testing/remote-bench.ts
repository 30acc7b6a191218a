/** Golden questions asked of a project of a running service. A session is asked as somebody else, by `viewAs`. */
import type { RemoteProject } from "../service/remote-project.ts";
import { type Bench, Refusal } from "./bench.ts";

export function remoteBench(project: Pick<RemoteProject, "ask">): Bench {
  return {
    answer: async ({ sql, cube, parameters }, session) => {
      const answer = await project.ask(sql === undefined ? "cube" : "query", {
        ...(sql === undefined ? { cube } : { sql }),
        ...(parameters !== undefined && { parameters }),
        ...(session !== undefined && { viewAs: session }),
      });
      if ("reason" in answer) throw new Refusal(answer.reason, answer.message);
      return answer;
    },
    close: async () => undefined,
  };
}
