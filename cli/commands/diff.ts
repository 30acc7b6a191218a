/**
 * `siskin diff BEFORE AFTER`: what a change of a model means. Breaking changes and loosened rules end with exit code 1, unless
 * `--allow` names their class.
 */
import type { DataSource } from "../../src/planner/plan.ts";
import { type Change, changesBetween } from "../diff/changes.ts";
import { readSide } from "../diff/pointer-questions.ts";
import { questionChanges, storedQuestions } from "../diff/questions.ts";
import { CLASSES, changesText } from "../diff/text.ts";
import { type ExitCode, UsageError } from "../exit.ts";
import { readArguments, sourceNamed } from "../options.ts";
import type { Model } from "../project/types.ts";
import { type LocalServices, localServices } from "../source/local-services.ts";
import type { Terminal } from "../terminal.ts";
import { redacted } from "./context.ts";

const OPTIONS = {
  allow: { type: "string", multiple: true },
  source: { type: "string" },
  format: { type: "string", short: "f", default: "text" },
} as const;

export async function diffCommand(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, positionals } = readArguments(args, OPTIONS);
  const [from, to, ...others] = positionals;
  if (from === undefined || to === undefined || others.length > 0) {
    throw new UsageError(
      "siskin diff takes two models: BEFORE and AFTER, each a project folder, a manifest or a project.json.",
    );
  }
  const allowed = new Set(values.allow ?? []);
  for (const name of allowed) {
    if (name !== "breaking" && name !== "loosened")
      throw new UsageError(`--allow ${name}: the classes are breaking and loosened.`);
  }
  if (values.format !== "text" && values.format !== "json") throw new UsageError("--format is text or json.");
  const sides = [readSide(from, terminal.directory), readSide(to, terminal.directory)] as const;
  const [{ model: before }, { model: after }] = sides;
  const source: DataSource =
    values.source === undefined ? (after.source ?? before.source ?? "postgres") : sourceNamed(values.source);
  const services = localServices(undefined);
  const changes = [
    ...changesBetween(membersOf(before), membersOf(after)),
    ...newReads(services, { before, after, source }),
  ];
  const asked = new Map(sides.flatMap(storedQuestions).map((each) => [each.name, each]));
  const questions = questionChanges(services, { before: before.manifestText, after: after.manifestText, source }, [
    ...asked.values(),
  ]);
  await services.close();
  const report =
    values.format === "json" ? `${JSON.stringify({ changes, questions }, null, 2)}\n` : changesText(changes, questions);
  await terminal.out(redacted(report));
  const refused = CLASSES.filter(
    (each) =>
      each !== "compatible" && !allowed.has(each) && [...changes, ...questions].some((change) => change.class === each),
  );
  if (refused.length === 0) return 0;
  const hint = refused.includes("loosened")
    ? " A loosened rule shows rows or columns that were hidden: --allow loosened accepts it."
    : "";
  terminal.err(`The change is ${refused.join(" and ")}.${hint}\n`);
  return 1;
}

const membersOf = ({ manifestText }: Model): Readonly<Record<string, unknown>> =>
  JSON.parse(manifestText) as Readonly<Record<string, unknown>>;

interface Sides {
  readonly before: Model;
  readonly after: Model;
  readonly source: DataSource;
}

/** A model without a rule over a table whose rows another model's rule excludes: a way around the rule. */
function newReads(services: LocalServices, { before, after, source }: Sides): readonly Change[] {
  const known = new Set(ruledReads(services, before, source));
  return ruledReads(services, after, source)
    .filter((message) => !known.has(message))
    .map((message) => ({ object: message, how: "added", class: "loosened" }));
}

function ruledReads(
  { manifests, planner, planOptions }: LocalServices,
  { manifestText }: Model,
  source: DataSource,
): readonly string[] {
  const manifest = manifests.get(manifestText);
  if (!manifest.ok) throw new UsageError(`The model cannot be read: ${manifest.error.message}`);
  const report = planner.checkOfManifest({ ...planOptions, manifest: manifest.value, source });
  if (!report.ok) return [];
  return report.value.warnings.filter(({ code }) => code === "RULED_TABLE_READ").map(({ message }) => message);
}
