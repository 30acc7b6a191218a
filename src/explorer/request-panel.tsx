/** The question as programs ask it, in several languages. */
import { copy } from "./answer-summary.tsx";
import { snippets } from "./request-code.ts";
import { limit, project, question, token } from "./state.ts";

export function RequestPanel() {
  const request = {
    origin: location.origin,
    project: project.value?.name ?? "",
    question: question.value,
    limit: limit.value,
    hasToken: token.value !== undefined,
  };
  return (
    <div class="requests">
      {snippets(request).map(({ title, code }) => (
        <section key={title}>
          <h3>
            {title}{" "}
            <button type="button" class="link" onClick={() => void copy(code, `${title} copied`)}>
              Copy
            </button>
          </h3>
          <pre>{code}</pre>
        </section>
      ))}
    </div>
  );
}
