/** Pages of which a command writes the figures alone. */
import { readFileSync, writeFileSync } from "node:fs";

const [BEGIN, END] = ["<!-- figures -->", "<!-- end of figures -->"];

/** Replaces the figures of the page at `path`, and the sentence that says who `made` them; the text around them stays. */
export function writeFigures(path: string, made: string, figures: string): void {
  const [before = "", rest = ""] = readFileSync(path, "utf8").split(BEGIN);
  const [, after = ""] = rest.split(END);
  writeFileSync(path, `${before}${BEGIN}\n\n${made}\n\n${figures}\n\n${END}${after}`);
}

export const today = (): string => new Date().toISOString().slice(0, 10);
