/** Changes as lines: the worst class first. */
import type { Change } from "./changes.ts";
import type { ChangeClass } from "./members.ts";
import type { QuestionChange } from "./questions.ts";

export const CLASSES: readonly ChangeClass[] = ["breaking", "loosened", "compatible"];

export function changesText(changes: readonly Change[], questions: readonly QuestionChange[]): string {
  const lines = CLASSES.flatMap((each) => [
    ...changes.filter((change) => change.class === each).map((change) => `${each.padEnd(10)} ${sentenceOf(change)}`),
    ...questions
      .filter((change) => change.class === each)
      .map(({ name, message }) => `${each.padEnd(10)} question ${name} ${message}`),
  ]);
  return lines.length === 0 ? "The models mean the same.\n" : `${lines.join("\n")}\n`;
}

function sentenceOf({ object, member, how, before, after }: Change): string {
  if (member === undefined) return how === "renamed" ? `${object} renamed to ${shown(after)}` : `${object} ${how}`;
  const values = {
    added: `: ${shown(after)}`,
    removed: `: ${shown(before)}`,
    changed: `: ${shown(before)} → ${shown(after)}`,
    renamed: "",
  };
  return `${member} of ${object} ${how}${values[how]}`;
}

function shown(value: unknown): string {
  const text = typeof value === "string" ? value.replaceAll(/\s+/g, " ") : (JSON.stringify(value) ?? "");
  return text.length <= 120 ? text : `${text.slice(0, 119)}…`;
}
