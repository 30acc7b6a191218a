/** `siskin types`: TypeScript types of a model's rows and of its cubes' members. */
import { type ExitCode, UsageError } from "../exit.ts";
import { MODEL_OPTIONS, readArguments, SESSION_OPTIONS, sessionOf } from "../options.ts";
import type { Terminal } from "../terminal.ts";
import { openWorkspace, redacted } from "./context.ts";

const OPTIONS = {
  ...MODEL_OPTIONS,
  ...SESSION_OPTIONS,
  source: { type: "string" },
  name: { type: "string", default: "Model" },
} as const;

export async function typesCommand(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, positionals } = readArguments(args, OPTIONS);
  if (positionals.length > 0) throw new UsageError("siskin types takes no argument.");
  if (!/^[A-Za-z_$][\w$]*$/.test(values.name)) throw new UsageError(`--name ${values.name} is no name of a type.`);
  const { model, source, services } = openWorkspace(values, terminal);
  const manifest = services.manifests.get(model.manifestText);
  if (!manifest.ok) throw new UsageError(`The model cannot be read: ${manifest.error.message}`);
  const request = { manifest: manifest.value, source, session: sessionOf(values), accessControl: "standard" } as const;
  const catalogue = services.planner.describeManifest(request);
  if (!catalogue.ok) throw new UsageError(`The model cannot be described: ${catalogue.error.message}`);
  const { models, cubes } = catalogue.value;
  const rows = models.map(({ name, description, columns }) => {
    const members = columns.map(
      (column) =>
        `${comment(column.description, 6)}      readonly ${key(column.name)}: ${typeOf(column.type)}${column.nullable ? " | null" : ""};\n`,
    );
    return `${comment(description, 4)}    readonly ${key(name)}: {\n${members.join("")}    };\n`;
  });
  const union = (names: readonly { readonly name: string }[]): string =>
    names.length === 0 ? "never" : names.map(({ name }) => JSON.stringify(name)).join(" | ");
  const members = cubes.map(
    ({ name, description, measures, dimensions, timeDimensions }) =>
      `${comment(description, 4)}    readonly ${key(name)}: {
      readonly measures: ${union(measures)};
      readonly dimensions: ${union(dimensions)};
      readonly timeDimensions: ${union(timeDimensions)};
    };\n`,
  );
  const text = `/** Made by \`siskin types\` for \`@siskin/client\`: 64-bit integers, decimals and times are texts. */
export interface ${values.name} {
  readonly models: {
${rows.join("")}  };
  readonly cubes: {
${members.join("")}  };
}
`;
  await terminal.out(redacted(text));
  return 0;
}

const key = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));

function comment(description: string | undefined, indentation: number): string {
  if (description === undefined) return "";
  return `${" ".repeat(indentation)}/** ${description.replaceAll("*/", "*\\/").replaceAll(/\s+/g, " ").trim()} */\n`;
}

/** The type of a value of `@siskin/client`, by the name of its type in the input language. */
function typeOf(type: string): string {
  if (/^(?:smallint|integer|tinyint|real|double precision)$/.test(type)) return "number";
  if (type === "boolean") return "boolean";
  if (type.endsWith("[]")) return `readonly (${typeOf(type.slice(0, -2))} | null)[]`;
  if (/^(?:bigint|numeric|text|varchar|char|date|time|timestamp|interval|uuid|bytea)\b/.test(type)) return "string";
  return "unknown";
}
