/**
 * YAML as data with positions. Anchors, aliases and tags are refused: a short file of nested aliases stands for gigabytes. A key
 * that is written twice is refused, because readers disagree on which one counts.
 */
import { isMap, isScalar, isSeq, LineCounter, type Node, type ParsedNode, parseDocument, visit } from "yaml";
import { type Fault, FaultsInFiles, type FilePosition } from "../exit.ts";

/** Lines that an error does not show. */
export const mayHoldSecret = (line: string): boolean =>
  /(?:pass|pwd|secret|token|_key|credential)\w*["']?\s*:|:\/\/[^\s/@]*:/i.test(line);

/** A step of a path: the name of a member, or an index. */
export type Step = string | number;

export interface YamlText {
  readonly value: unknown;
  /** Position of the value at a path, or of its nearest parent. */
  readonly at: (path: readonly Step[]) => FilePosition;
}

const LARGEST_FILE = 16 * 1024 * 1024;
/** The parser recurses. */
const DEEPEST = 200;

/** `quotes`: whether errors show the line, which in a connection may hold a secret. Throws `FaultsInFiles`. */
export function readYaml(
  text: string,
  file: string,
  { quotes }: { readonly quotes: boolean } = { quotes: true },
): YamlText {
  if (text.length > LARGEST_FILE) throw new FaultsInFiles([{ message: `${file} is larger than 16 MiB.` }]);
  if (isTooDeep(text)) throw new FaultsInFiles([{ message: `${file} nests deeper than ${DEEPEST} levels.` }]);
  const lines = new LineCounter();
  // JSON may be a single line, which thousands of positions share.
  const known = new Map<number, string>();
  const shownLine = (line: number): string => {
    const found = known.get(line);
    if (found !== undefined) return found;
    const start = lines.lineStarts[line - 1] ?? 0;
    const end = text.indexOf("\n", start);
    const whole = text.slice(start, end < 0 ? undefined : end).replace(/\r$/, "");
    const shown = mayHoldSecret(whole) ? "" : whole;
    known.set(line, shown);
    return shown;
  };
  const position = (offset: number, length = 1): FilePosition => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(1, line), column: Math.max(1, col), text: quotes ? shownLine(line) : "", length };
  };
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true, schema: "core", merge: false });
  const faults: Fault[] = [...document.errors, ...document.warnings].map(({ message, pos, code }) => ({
    message:
      code === "DUPLICATE_KEY"
        ? "The key is written twice in one object."
        : (message.split("\n")[0] ?? "").replace(/ at line \d+, column \d+:?$/, "."),
    at: position(pos[0]),
  }));
  visit(document, {
    Alias: (_, { source, range }) => {
      const hint = "Write the value out.";
      faults.push({ message: `The alias *${source} is not read.`, at: position(range?.[0] ?? 0), hint });
    },
    Node: (_, node) => {
      const [start = 0] = node.range ?? [];
      if (node.tag?.startsWith("!")) {
        faults.push({ message: `The tag ${node.tag} is not read.`, at: position(start) });
      }
    },
  });
  const [first] = faults;
  if (first !== undefined) throw new FaultsInFiles(faults.slice(0, 100));
  const value = document.toJS({ maxAliasCount: 0 }) as unknown;
  return { value, at: (path) => positionAt(document.contents, path, position) };
}

/** Counts indentation and brackets: blocks that nest by indentation take two characters a level at least. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (character === "[" || character === "{") depth++;
    else if (character === "]" || character === "}") depth = Math.max(0, depth - 1);
    if (depth > DEEPEST) return true;
  }
  return /^ {400}\S/m.test(text) || /^(?:- ){200}/m.test(text);
}

function positionAt(
  root: ParsedNode | null,
  path: readonly Step[],
  position: (offset: number, length?: number) => FilePosition,
): FilePosition {
  let node: Node | null = root;
  let found: Node | null = root;
  for (const step of path) {
    if (isMap(node)) {
      const pair: { readonly key: unknown; readonly value: unknown } | undefined = node.items.find(
        ({ key }) => isScalar(key) && String(key.value) === String(step),
      );
      if (pair === undefined) break;
      node = (pair.value ?? null) as Node | null;
      found = node ?? (pair.key as Node);
    } else if (isSeq(node) && typeof step === "number") {
      node = (node.items[step] ?? null) as Node | null;
      if (node === null) break;
      found = node;
    } else break;
  }
  const [start = 0, end = start + 1] = found?.range ?? [];
  return position(start, isScalar(found) ? Math.max(1, end - start) : 1);
}
