/**
 * Members that an object of the manifest's text names twice. `JSON.parse` takes the last one without a word, so an access rule
 * would be lost behind a second, empty one. Annotations (`properties`) are free and may repeat names.
 */

/** Members in a parsed value, at any depth: fewer than its text has when names repeat. */
export function membersOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) count += membersOf(item);
    return count;
  }
  const members = Object.values(value);
  for (const member of members) count += membersOf(member);
  return count + members.length;
}

/** An object, or an array (which has no names), that is open where the scan is. */
interface Open {
  readonly names: Set<string> | undefined;
  readonly isFree: boolean;
  last: string;
}

/** The first name that an object repeats outside annotations. `text` is valid JSON. */
export function duplicateIn(text: string, endOfString: (text: string, start: number) => number): string | undefined {
  const open: Open[] = [];
  for (let i = 0; i < text.length; i++) {
    const sign = text[i];
    const inner = open.at(-1);
    if (sign === "{" || sign === "[") {
      const isFree = inner !== undefined && (inner.isFree || inner.last === "properties");
      // An array's objects belong to the member that holds the array.
      open.push({ names: sign === "{" ? new Set() : undefined, isFree, last: "" });
    } else if (sign === "}" || sign === "]") {
      open.pop();
    } else if (sign === '"') {
      const end = endOfString(text, i);
      if (inner?.names !== undefined && isFollowedByColon(text, end + 1)) {
        const name = JSON.parse(text.slice(i, end + 1)) as string;
        if (inner.names.has(name) && !inner.isFree) return name;
        inner.names.add(name);
        inner.last = name;
      }
      i = end;
    }
  }
  return undefined;
}

/** Only a member's name is followed by a colon. */
function isFollowedByColon(text: string, from: number): boolean {
  let at = from;
  while (text[at] === " " || text[at] === "\n" || text[at] === "\r" || text[at] === "\t") at++;
  return text[at] === ":";
}
