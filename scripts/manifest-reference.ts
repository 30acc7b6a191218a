/**
 * Writes `docs/manifest.schema.json`, and the reference in `docs/manifest.md` below its marker, from the planner's table of
 * members.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { manifestSchema } from "../src/planner/manifest/json-schema.ts";
import { CALLED, type Holds, type Kind, MEMBERS, type Member } from "../src/planner/manifest/members.ts";

const SCHEMA = new URL("../docs/manifest.schema.json", import.meta.url);
const PAGE = new URL("../docs/manifest.md", import.meta.url);
const MARKER =
  "<!-- Below: written by `npm run manifest` from src/planner/manifest/members.ts; a test keeps it current. -->\n";

/** The schema as it must stand in the repository. */
export function schemaText(): string {
  return `${JSON.stringify(manifestSchema(), undefined, 2)}\n`;
}

/** The page as it must stand in the repository: `page` with a current reference. */
export function pageText(page: string): string {
  const end = page.indexOf(MARKER);
  if (end < 0) throw new Error("docs/manifest.md has lost its marker");
  const kinds = Object.keys(MEMBERS) as Kind[];
  return [page.slice(0, end + MARKER.length), ...kinds.map((kind) => section(kind))].join("\n");
}

function section(kind: Kind): string {
  const members: Readonly<Record<string, Member>> = MEMBERS[kind];
  const rows = Object.entries(members).map(
    ([name, member]) =>
      `| \`${name}\`${member.required ? " (required)" : ""} | ${typeOf(member)} | ${described(member)} | ${exampleOf(member)} |`,
  );
  return [`### ${titleOf(kind)}`, "", "| Member | Type | Meaning | Example |", "|---|---|---|---|", ...rows, ""].join(
    "\n",
  );
}

function titleOf(kind: Kind): string {
  const name = CALLED[kind].replace(/^(?:an?|the) /, "").replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return name.replace(/^./, (letter) => letter.toUpperCase());
}

function described({ description, ignored, returned }: Member): string {
  return (ignored && !returned ? `${description} Ignored.` : description).replaceAll("|", "\\|");
}

function exampleOf({ example }: Member): string {
  return example === undefined ? "" : `\`${JSON.stringify(example).replaceAll("|", "\\|")}\``;
}

function typeOf({ holds, values, length }: Member): string {
  if (values !== undefined) return values.map((value) => `\`${value}\``).join(", ");
  const counted = length === undefined ? "" : `${length} `;
  if (typeof holds !== "string") return objectType(holds, counted);
  const names: Readonly<Record<Exclude<Holds, object>, string>> = {
    text: "string",
    flag: "boolean",
    integer: "integer",
    texts: `array of ${counted}strings`,
    "text or texts": "string or array of strings",
    "lists of texts": "array of arrays of strings",
    "map of texts": "object of arrays of strings",
    free: "object",
  };
  return names[holds];
}

function objectType(holds: Exclude<Holds, string>, counted: string): string {
  const link = (kind: string): string => {
    const title = titleOf(kind as Kind);
    return `[${title.toLowerCase()}](#${title.toLowerCase().replaceAll(" ", "-")})`;
  };
  if ("many" in holds) return `array of ${counted}${link(holds.many)}`;
  return holds.orText ? `string or ${link(holds.one)}` : link(holds.one);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(SCHEMA, schemaText());
  writeFileSync(PAGE, pageText(readFileSync(PAGE, "utf8")));
}
