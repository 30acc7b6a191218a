/** Opens the page and its projects. */
import { batch } from "@preact/signals";
import type { Project } from "./answers.ts";
import { listProjects, openProject } from "./api.ts";
import { cancel, run } from "./asking.ts";
import { hashOf, projectIn, questionIn } from "./link.ts";
import { pageSettings } from "./page-settings.ts";
import { type Question, sqlOf } from "./question.ts";
import { quotedName } from "./quoted-name.ts";
import { finishSignIn } from "./sign-in/code-flow.ts";
import {
  answer,
  cubeQuery,
  explained,
  failureOfError,
  mode,
  opening,
  project,
  projects,
  question,
  refusal,
  sql,
  token,
  viewedAnswer,
} from "./state.ts";

/** Opens the page: after a sign-in at the issuer, with its token. */
export async function enter(): Promise<void> {
  const { signIn } = pageSettings();
  if (signIn !== undefined) {
    try {
      token.value = (await finishSignIn(signIn)) ?? token.value;
    } catch (error) {
      opening.value = { kind: "failed", failure: { ...failureOfError(error), status: 401 } };
      return;
    }
  }
  await start();
}

/** Reads the projects, and opens that of the address or the first. */
export async function start(): Promise<void> {
  opening.value = { kind: "loading" };
  try {
    projects.value = await listProjects(token.value);
    const named = projectIn(location.pathname);
    const first = projects.value.find(({ status }) => status === "ready")?.name;
    const wanted = named ?? first;
    if (wanted === undefined) {
      opening.value = { kind: "open" };
      return;
    }
    await choose(wanted, questionIn(location.hash), "replace");
  } catch (error) {
    opening.value = { kind: "failed", failure: failureOfError(error) };
  }
}

/** Opens a project, with a question in the editor that is answered at once if the project has one. */
export async function choose(name: string, given?: Question, entry: "push" | "replace" = "push"): Promise<void> {
  opening.value = { kind: "loading" };
  cancel();
  try {
    const found = await openProject(name, token.value);
    batch(() => {
      project.value = found;
      opening.value = { kind: "open" };
      answer.value = { kind: "none" };
      viewedAnswer.value = { kind: "none" };
      explained.value = undefined;
      refusal.value = undefined;
      cubeQuery.value = undefined;
      show(given ?? { kind: "sql", sql: firstQuestion(found) });
    });
    document.title = `Siskin · ${found.title ?? found.name}`;
    const path = `/explore/${encodeURIComponent(name)}`;
    if (location.pathname !== path) {
      const address = path + (given === undefined ? "" : hashOf(given));
      // The address without a project's name leads here again: going back to it would not leave the page.
      if (entry === "push") history.pushState(null, "", address);
      else history.replaceState(null, "", address);
    }
    if (sqlOf(question.value) !== "") await run();
  } catch (error) {
    opening.value = { kind: "failed", failure: failureOfError(error) };
  }
}

/** Shows what the address names, after the browser's Back or Forward, or a link that was put into the address. */
export async function restore(): Promise<void> {
  const name = projectIn(location.pathname);
  const given = questionIn(location.hash);
  if (name === undefined || project.value === undefined) return;
  if (name !== project.value.name) return choose(name, given);
  if (given === undefined || hashOf(given) === hashOf(question.value)) return;
  show(given);
  await run("keep");
}

/** Puts a question into the editor or the builder. */
export function show(given: Question): void {
  batch(() => {
    mode.value = given.kind;
    if (given.kind === "sql") sql.value = given.sql;
    else cubeQuery.value = given.cube;
  });
}

function firstQuestion({ examples, models }: Project): string {
  const [example] = examples;
  if (example !== undefined) return example.sql;
  const [model] = models;
  return model === undefined ? "" : `SELECT * FROM ${quotedName(model.name)} LIMIT 20`;
}
