/** Golden questions: the files `tests/*.yml` of a project. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { nearestNames } from "../../src/planner/index.ts";
import { type Fault, FaultsInFiles, type FilePosition } from "../exit.ts";
import { readYaml, type Step, type YamlText } from "../project/yaml.ts";

export type Cell = string | number | boolean | null;
/** A row by position, or by the names of columns. */
export type ExpectedRow = readonly Cell[] | Readonly<Record<string, Cell>>;

export interface Assertions {
  readonly row_count?: number | { readonly min?: number; readonly max?: number };
  readonly not_null?: readonly string[];
  /** Columns, or lists of columns, that no two rows share. */
  readonly unique?: readonly (string | readonly string[])[];
  /** Another statement with the same rows, asked in the same session. */
  readonly equals_sql?: string;
  /** Parts of rows that the answer must have, and must not have. */
  readonly contains?: readonly Readonly<Record<string, Cell>>[];
  readonly excludes?: readonly Readonly<Record<string, Cell>>[];
  /** The reason of the refusal that is expected. */
  readonly error?: string;
}

export interface GoldenQuestion extends Assertions {
  readonly name: string;
  readonly sql?: string;
  readonly cube?: unknown;
  readonly parameters?: readonly unknown[];
  /** Session properties; a list asks the question once for each. */
  readonly as?: Readonly<Record<string, unknown>> | readonly Readonly<Record<string, unknown>>[];
  readonly rows?: readonly ExpectedRow[];
  readonly ordered?: boolean;
  readonly tolerance?: number;
}

export interface LocatedQuestion {
  readonly question: GoldenQuestion;
  readonly file: string;
  readonly at: (path: readonly Step[]) => FilePosition;
}

const MEMBERS: Readonly<Record<string, (value: unknown) => boolean>> = {
  name: isText,
  sql: isText,
  cube: (value) => typeof value === "object" && value !== null,
  parameters: Array.isArray,
  as: (value) => (Array.isArray(value) ? value.every(isObject) : isObject(value)),
  rows: (value) => Array.isArray(value) && value.every((row) => Array.isArray(row) || isObject(row)),
  ordered: (value) => typeof value === "boolean",
  tolerance: (value) => typeof value === "number" && value >= 0,
  row_count: (value) =>
    Number.isSafeInteger(value) ||
    (isObject(value) && Object.keys(value).every((name) => name === "min" || name === "max")),
  not_null: isTexts,
  unique: (value) => Array.isArray(value) && value.every((each) => isText(each) || isTexts(each)),
  equals_sql: isText,
  contains: (value) => Array.isArray(value) && value.every(isObject),
  excludes: (value) => Array.isArray(value) && value.every(isObject),
  error: isText,
};

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}
function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every(isText);
}
function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Members that say what the answer must be. */
const EXPECTATIONS = ["rows", "row_count", "not_null", "unique", "equals_sql", "contains", "excludes", "error"];

/** Throws `FaultsInFiles` with the faults of all files. */
export function readQuestions(directory: string, shown: string): readonly LocatedQuestion[] {
  const folder = join(directory, "tests");
  if (!existsSync(folder)) return [];
  const faults: Fault[] = [];
  const found: LocatedQuestion[] = [];
  for (const name of readdirSync(folder)
    .filter((each) => /\.ya?ml$/.test(each))
    .sort()) {
    const file = shown === "." ? `tests/${name}` : `${shown}/tests/${name}`;
    try {
      found.push(...questionsIn(readYaml(readFileSync(join(folder, name), "utf8"), file), file, faults));
    } catch (error) {
      if (!(error instanceof FaultsInFiles)) throw error;
      faults.push(...error.faults);
    }
  }
  if (faults.length > 0) throw new FaultsInFiles(faults);
  return found;
}

function questionsIn(yaml: YamlText, file: string, faults: Fault[]): readonly LocatedQuestion[] {
  const isList = Array.isArray(yaml.value);
  const list: unknown = isList ? yaml.value : isObject(yaml.value) ? yaml.value["tests"] : undefined;
  if (!Array.isArray(list)) {
    faults.push({ message: "The file must hold a list of tests.", at: yaml.at([]) });
    return [];
  }
  return list.flatMap((question: unknown, index): readonly LocatedQuestion[] => {
    const at = (path: readonly Step[]): FilePosition => yaml.at([...(isList ? [] : ["tests"]), index, ...path]);
    const before = faults.length;
    if (!isObject(question)) {
      faults.push({ message: "A test must be an object.", at: at([]) });
      return [];
    }
    for (const [member, value] of Object.entries(question)) {
      const isRight = MEMBERS[member];
      if (isRight === undefined) {
        const [near] = nearestNames(member, Object.keys(MEMBERS));
        const hint = near === undefined ? `Members: ${Object.keys(MEMBERS).join(", ")}.` : `Did you mean ${near}?`;
        faults.push({ message: `${member} is not a member of a test.`, at: at([member]), hint });
      } else if (!isRight(value)) {
        faults.push({ message: `${member} has a value of a wrong kind.`, at: at([member]) });
      }
    }
    if (question["name"] === undefined) faults.push({ message: "The test has no name.", at: at([]) });
    if ((question["sql"] === undefined) === (question["cube"] === undefined)) {
      faults.push({ message: "A test has one of sql and cube.", at: at([]) });
    }
    // A test that expects nothing passes whatever the model becomes.
    if (!EXPECTATIONS.some((member) => question[member] !== undefined)) {
      const hint = `Add one of ${EXPECTATIONS.join(", ")}.`;
      faults.push({ message: "The test expects nothing.", at: at([]), hint });
    }
    return faults.length > before ? [] : [{ question: question as unknown as GoldenQuestion, file, at }];
  });
}
