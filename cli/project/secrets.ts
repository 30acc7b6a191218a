/** Project files enter a repository: a password in one is refused. */
import type { Fault } from "../exit.ts";
import type { Step, YamlText } from "./yaml.ts";

const SECRET_NAME = /^(?:.*_)?(?:password|passwd|pwd|secret|token|api_?key|private_?key|access_?key|credentials?)$/i;
const URL_WITH_PASSWORD = /[a-z][a-z0-9+.-]*:\/\/[^\s/:@]*:[^\s/@]+@/i;
/** References are no secrets. */
const REFERENCE = /^(?:env|file):/;

export function secretsIn(yaml: YamlText): readonly Fault[] {
  const faults: Fault[] = [];
  const look = (value: unknown, path: readonly Step[]): void => {
    if (typeof value === "string" || typeof value === "number") {
      const name = path.at(-1);
      const text = String(value);
      const isSecret = typeof name === "string" && SECRET_NAME.test(name) && text !== "" && !REFERENCE.test(text);
      if (isSecret || URL_WITH_PASSWORD.test(text)) {
        const { text: _, ...at } = yaml.at(path);
        const hint = "Write a reference, env:NAME or file:PATH, and keep the value outside of the project.";
        faults.push({ message: "The project file holds a secret.", at: { ...at, text: "" }, hint });
      }
    } else if (Array.isArray(value)) {
      for (const [at, each] of value.entries()) look(each, [...path, at]);
    } else if (typeof value === "object" && value !== null) {
      for (const [name, each] of Object.entries(value)) look(each, [...path, name]);
    }
  };
  look(yaml.value, []);
  return faults;
}
