/** `npm run words`, a part of `npm run check`: three rules of words (docs/CONTRIBUTING.md) for comments and public errors. */
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Literal, wordsOf } from "./words/literals.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const WITH_COMMENTS = ["src", "sidecar", "supervisor", "cli", "scripts", "bench", "test"];
const WITH_ERRORS = ["src", "sidecar", "supervisor", "cli"];

const COMMENT_START = /^(?:Of|What|As|Whoever|Those)\b/;
const ERROR_START = /^(?:this|such a|of another)\b/i;

/** Words of the left column of the terms table in docs/glossary.md, with the word to write instead. */
const PRIVATE_WORDS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:told|tells|untold)\b/i, "reported, returned"],
  [/\b(?:wish|wishes)\b/i, "mode, request"],
  [/\bsettled\b/i, "rounded to scale"],
  [/\bsayings?\b/i, "rule"],
  [/\balike\b/i, "of a common type"],
  [/\b(?:meets?|met)\b/i, "has a common type with, matches"],
  [/\bbeside doubles\b/i, "mixed numeric types"],
  [/\bmade rows\b/i, "set-returning function"],
  [/\bmoments?\b/i, "timestamp"],
  [/\bwhole numbers?\b/i, "integer"],
  [/\bwith(?:held|holds?)\b/i, "restricted, excluded by a rule"],
  [/\bmodellers?\b/i, "native SQL"],
  [/\bhere\b/i, "the engine, the option or the place"],
  // "there is" says that something exists; elsewhere the word stands for an engine.
  [/\bthere\b(?! (?:is|are|was|were|has|may|can)\b)/i, "the engine or the place"],
  [/\b(?:hangs? on|stands?)\b/i, "depends on, is"],
];

/** Calls and properties whose literals reach a caller. */
const ERROR_CALLEE = /(?:Error|Failure|Fault|Problem|unsupported|invalid\w*|refused?|fail|fault|broken|Beyond)$/;
const ERROR_PROPERTY = /^(?:hint|refused|message)$/;

export interface Finding {
  readonly line: number;
  readonly text: string;
  readonly rule: string;
}

const isError = ({ callee, property }: Literal): boolean => ERROR_CALLEE.test(callee) || ERROR_PROPERTY.test(property);

/** Violations in the text of a file; only files with `errors` hold texts for callers. */
export function findingsIn(source: string, errors: boolean): readonly Finding[] {
  const { comments, literals } = wordsOf(source);
  const found: Finding[] = [];
  for (const { line, text } of comments) {
    if (COMMENT_START.test(text)) found.push({ line, text, rule: "begin a comment with a noun or a verb" });
  }
  if (!errors) return found;
  for (const literal of literals.filter(isError)) {
    const { line, text } = literal;
    if (ERROR_START.test(text)) found.push({ line, text, rule: "name the construct that the caller wrote" });
    for (const [word, better] of PRIVATE_WORDS) {
      if (word.test(text)) found.push({ line, text, rule: `write "${better}" for "${word.exec(text)?.[0]}"` });
    }
  }
  return found;
}

/** All that breaks a rule in the repository, one line each. */
export function findings(): readonly string[] {
  const lines: string[] = [];
  for (const folder of WITH_COMMENTS) {
    for (const file of globSync(`${folder}/**/*.{ts,mjs}`, {
      cwd: ROOT,
      exclude: (name) => name.includes("node_modules") || name.endsWith("dist"),
    }).sort()) {
      const found = findingsIn(readFileSync(`${ROOT}/${file}`, "utf8"), WITH_ERRORS.includes(folder));
      for (const { line, text, rule } of found)
        lines.push(`${file}:${line}: ${rule}: ${text.split("\n")[0]?.slice(0, 120)}`);
    }
  }
  return lines;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const lines = findings();
  for (const line of lines) console.error(line);
  if (lines.length > 0) {
    console.error(`${lines.length} comments or errors break the rules of words in docs/CONTRIBUTING.md`);
    process.exitCode = 1;
  }
}
