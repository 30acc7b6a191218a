/** Lays out a JSON text with one member a line. The text is not parsed: numbers keep all their digits. */

/** Short lists and objects stay on one line. */
const SHORT = 90;

export function laidOut(text: string): string {
  const tokens = tokensOf(text);
  const lines: string[] = [];
  let line = "";
  let depth = 0;
  const end = (): void => {
    if (line.trim() !== "") lines.push(line);
    line = "  ".repeat(depth);
  };
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index] ?? "";
    if (token === "{" || token === "[") {
      const short = shortFrom(tokens, index);
      if (short !== undefined) {
        line += short.text;
        index = short.end;
        continue;
      }
      line += token;
      depth++;
      end();
    } else if (token === "}" || token === "]") {
      depth = Math.max(depth - 1, 0);
      end();
      line += token;
    } else if (token === ",") {
      line += token;
      end();
    } else {
      line += token === ":" ? ": " : token;
    }
  }
  end();
  return lines.join("\n");
}

/** The same JSON without blanks between its tokens. */
export const compact = (text: string): string => tokensOf(text).join("");

/** A text that is not closed is one token: looking for its end at each quote would take quadratic time. */
const tokensOf = (text: string): readonly string[] => text.match(/"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];

/** A list or an object of plain values that has room on one line. */
function shortFrom(
  tokens: readonly string[],
  start: number,
): { readonly text: string; readonly end: number } | undefined {
  let text = tokens[start] ?? "";
  const isObject = text === "{";
  for (let index = start + 1; index < tokens.length && text.length < SHORT; index++) {
    const token = tokens[index] ?? "";
    if (token === "{" || token === "[") return undefined;
    if (token === "}" || token === "]") {
      const isEmpty = index === start + 1;
      return { text: isObject && !isEmpty ? `${text} ${token}` : text + token, end: index };
    }
    const isFirst = index === start + 1;
    text += token === "," ? ", " : token === ":" ? ": " : isObject && isFirst ? ` ${token}` : token;
  }
  return undefined;
}
