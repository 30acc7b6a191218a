/** PostgreSQL's format language of numbers, as far as it makes a text of digits, marks and a sign. */
import { unsupported } from "../../diagnostics.ts";
import type { Expression } from "../../syntax/tree.ts";

/** How a target fills a text up on the left: another spelling would repeat the text. */
export type Filling = "by lpad" | "by right";

/** "anchored": beside the digits; "sign", "minus": in a place of its own. */
type Sign =
  | "before"
  | "anchored before"
  | "anchored behind"
  | "sign before"
  | "sign behind"
  | "minus before"
  | "minus behind"
  | "brackets";

export interface NumberFormat {
  /** Texts around the number. */
  readonly before: string;
  readonly behind: string;
  /** `9`, `0` and `,` before the point. */
  readonly whole: string;
  /** `9` and `0` after it; `undefined` without a point. */
  readonly fraction: string | undefined;
  readonly sign: Sign;
  /** FM: neither blanks nor zeros for a 9. */
  readonly bare: boolean;
}

const HINT = "Use 9, 0, a comma, a point, FM, S, SG, MI or PR.";

/** Patterns of other meanings: exponents, Roman numerals, ordinals, shifted digits, currencies. */
const OTHER = /EEEE|RN|TH|V|L|PL/;

/** The format of a literal; what has no meaning here is refused by its name. */
export function readNumberFormat(format: Expression & { readonly kind: "string" }): NumberFormat {
  const read = parsed(format.value);
  if (read !== undefined && /\d/.test(read.whole)) return read;
  const [other] = OTHER.exec(format.value.replace(/"[^"]*"/g, "").toUpperCase()) ?? [];
  throw unsupported(other === undefined ? "the number format" : `"${other}" in a number format`, format.span, HINT);
}

function parsed(format: string): NumberFormat | undefined {
  const upper = format.replace(/[a-z]/g, (letter) => letter.toUpperCase());
  // Letters and symbols outside of quotes may be patterns in this or a later release. Each run of texts is matched as a whole,
  // because three adjacent ones could be split in cubically many ways.
  const parts =
    /^(?=((?:[$€£ ()]|"[^"\\]*")*))\1(FM)?(?=((?:[$€£ ()]|"[^"\\]*")*))\3(SG|S|MI)?([90,G]*)(?:([.D])([90]*))?(SG|S|MI|PR)?((?:[%€£ ()]|"[^"\\]*")*)$/.exec(
      upper,
    );
  if (parts === null) return undefined;
  const [, outer = "", fill, inner = "", first, whole = "", point, fraction = "", last, behind = ""] = parts;
  if (
    (first !== undefined && last !== undefined) ||
    /^[,G]|[,G]{2}|[,G]$/.test(whole) ||
    (point !== undefined && fraction === "")
  )
    return undefined;
  // Texts keep their original case.
  const before = outer.length + (fill?.length ?? 0);
  const plain = (words: string): string => words.replaceAll('"', "");
  return {
    before: plain(format.slice(0, outer.length) + format.slice(before, before + inner.length)),
    behind: plain(format.slice(format.length - behind.length)),
    whole: whole.replaceAll("G", ","),
    fraction: point === undefined ? undefined : fraction,
    sign: signOf(first, last),
    bare: fill !== undefined,
  };
}

const BEFORE: Readonly<Record<string, Sign>> = { S: "anchored before", SG: "sign before", MI: "minus before" };
const BEHIND: Readonly<Record<string, Sign>> = {
  S: "anchored behind",
  SG: "sign behind",
  MI: "minus behind",
  PR: "brackets",
};

function signOf(first: string | undefined, last: string | undefined): Sign {
  return BEFORE[first ?? ""] ?? BEHIND[last ?? ""] ?? "before";
}
