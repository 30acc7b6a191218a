/** Comments and string literals of a TypeScript file, with their lines; literals also with the call or property that holds them. */

export interface Comment {
  readonly line: number;
  /** Without its marks. Lines of `//` that follow one another are one comment. */
  readonly text: string;
}

export interface Literal {
  readonly line: number;
  /** A substitution of a template is `…`. */
  readonly text: string;
  /** The innermost call: `unsupported`, `PlannerError`. */
  readonly callee: string;
  /** The property that the literal is in the value of: `hint`. */
  readonly property: string;
}

export interface Words {
  readonly comments: readonly Comment[];
  readonly literals: readonly Literal[];
}

interface Bracket {
  readonly open: string;
  readonly callee: string;
  property: string;
}

const REGEX_MAY_FOLLOW = /(?:^|[(,=:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|in|of|throw))$/;
const LINE_COMMENT_MARK = /^\/\/\s?/;

export function wordsOf(source: string): Words {
  const comments: Comment[] = [];
  const literals: Literal[] = [];
  const brackets: Bracket[] = [{ open: "", callee: "", property: "" }];
  let line = 1;
  let lastCommentLine = -1;
  /** The code before the position, without comments and literals; only its end is read. */
  let code = "";
  let at = 0;

  const top = (): Bracket => brackets.at(-1) ?? { open: "", callee: "", property: "" };
  const skipTo = (end: number): string => {
    const text = source.slice(at, end);
    line += text.split("\n").length - 1;
    at = end;
    return text;
  };

  const comment = (text: string, start: number, isLine: boolean): void => {
    const last = comments.at(-1);
    if (isLine && last !== undefined && lastCommentLine === start - 1) {
      comments[comments.length - 1] = { line: last.line, text: `${last.text}\n${text}` };
    } else {
      comments.push({ line: start, text });
    }
    lastCommentLine = isLine && /(?:^|\n)[ \t]*$/.test(source.slice(0, at - text.length - 3)) ? start : -1;
  };

  const literal = (start: number, text: string): void => {
    const bracket = brackets.findLast(({ open }) => open === "(");
    const property = brackets.findLast((each) => each.property !== "")?.property ?? "";
    literals.push({ line: start, text, callee: bracket?.callee ?? "", property });
    code += '"';
  };

  /** From behind the opening back-tick to behind the closing one; code in substitutions is scanned. */
  const template = (): void => {
    const start = line;
    let text = "";
    for (;;) {
      const char = source[at];
      if (char === undefined || char === "`") break;
      if (char === "\\") text += skipTo(at + 2);
      else if (source.startsWith("${", at)) {
        skipTo(at + 2);
        text += "…";
        scan("}");
      } else text += skipTo(at + 1);
    }
    skipTo(at + 1);
    literal(start, text);
  };

  const scan = (until: string): void => {
    const depth = brackets.length;
    while (at < source.length) {
      const char = source[at] ?? "";
      if (char === until && brackets.length === depth) {
        skipTo(at + 1);
        return;
      }
      if (source.startsWith("//", at)) {
        const start = line;
        const end = source.indexOf("\n", at);
        comment(skipTo(end < 0 ? source.length : end).replace(LINE_COMMENT_MARK, ""), start, true);
      } else if (source.startsWith("/*", at)) {
        const start = line;
        const text = skipTo(source.indexOf("*/", at) + 2);
        comment(text.replace(/^\/[\s*]+|\s*\*+\/$/g, "").replaceAll(/\n\s*\*\s?/g, "\n"), start, false);
      } else if (char === '"' || char === "'") {
        const start = line;
        let end = at + 1;
        while (end < source.length && source[end] !== char) end += source[end] === "\\" ? 2 : 1;
        literal(start, skipTo(end + 1).slice(1, -1));
      } else if (char === "`") {
        skipTo(at + 1);
        template();
      } else if (char === "/" && REGEX_MAY_FOLLOW.test(code.trimEnd())) {
        let end = at + 1;
        let inClass = false;
        while (end < source.length && (inClass || source[end] !== "/") && source[end] !== "\n") {
          if (source[end] === "[") inClass = true;
          if (source[end] === "]") inClass = false;
          end += source[end] === "\\" ? 2 : 1;
        }
        skipTo(end + 1);
        code += '"';
      } else {
        if (char === "(" || char === "{" || char === "[") {
          const callee = /([\w$]+)\s*(?:<[\w\s,|"]*>)?\s*$/.exec(code.slice(-80))?.[1] ?? "";
          brackets.push({ open: char, callee: char === "(" ? callee : "", property: "" });
        } else if (char === ")" || char === "}" || char === "]") {
          if (brackets.length > 1) brackets.pop();
        } else if (char === ":") {
          top().property = /([\w$]+)\s*$/.exec(code.slice(-80))?.[1] ?? "";
        } else if (char === "," || char === ";") {
          top().property = "";
        }
        const text = skipTo(at + 1);
        // One blank is enough to end a word.
        if (text.trim() !== "" || !code.endsWith(" ")) code = (code + (text.trim() === "" ? " " : text)).slice(-200);
      }
    }
  };
  scan("");
  return { comments, literals };
}
