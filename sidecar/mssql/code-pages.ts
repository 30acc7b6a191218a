/** Texts that are not Unicode: the code page of a collation, and its characters (MS-TDS §2.2.5.1.2). */
import { UnreadableValue } from "../../src/connectors/unreadable-value.ts";
import { isUtf8 } from "../../src/result/text/utf8.ts";

export type Decode = (bytes: Buffer) => string;

const UTF8_FLAG = 0x40;
const LCID_MASK = 0x0f_ff_ff;

/** `collation`: five bytes, of which the locale has 20 bits, then come flags; the last is the order of old collations. */
export function decoderOf(collation: Uint8Array): Decode {
  const [low = 0, middle = 0, high = 0, top = 0, order = 0] = collation;
  const locale = (low | (middle << 8) | (high << 16)) & LCID_MASK;
  const flags = (high >> 4) | ((top & 0x0f) << 4);
  if ((flags & UTF8_FLAG) !== 0) return decodeUtf8;
  const page = order === 0 ? PAGE_BY_LANGUAGE.get(locale & 0xffff) : PAGE_BY_ORDER.get(order);
  return DECODERS.get(page ?? 0) ?? unknown;
}

/** Fails for bytes that are not UTF-8: a replacement would pass for the value. */
export function decodeUtf8(bytes: Buffer): string {
  if (!isUtf8(bytes, 0, bytes.length)) throw new UnreadableValue("text that is not UTF-8");
  return bytes.toString("utf8");
}

/** An unknown code page: decodes ASCII only, which all code pages share. */
function unknown(bytes: Buffer): string {
  if (bytes.some((byte) => byte > 0x7f)) throw new UnreadableValue("text in a code page that is not known");
  return bytes.toString("latin1");
}

/** Languages of collations, by code page: https://learn.microsoft.com/en-us/sql/t-sql/statements/windows-collation-name-transact-sql */
const LANGUAGES: Readonly<Record<number, readonly number[]>> = {
  874: [0x041e],
  932: [0x0411],
  936: [0x0804, 0x1004],
  949: [0x0412],
  950: [0x0404, 0x0c04, 0x1404],
  1250: [0x0405, 0x040e, 0x0415, 0x0418, 0x041a, 0x041b, 0x041c, 0x0424, 0x0442, 0x081a, 0x141a],
  1251: [0x0419, 0x0422, 0x0423, 0x042f, 0x043f, 0x0444, 0x046d, 0x0485, 0x082c, 0x0c1a, 0x201a],
  1252: [
    ...[0x0406, 0x0407, 0x0409, 0x040a, 0x040b, 0x040c, 0x040f, 0x0410, 0x0413, 0x0414, 0x0416, 0x0417, 0x041d, 0x042e],
    ...[0x0437, 0x043b, 0x0452, 0x0462, 0x047a, 0x047c, 0x047e, 0x0483, 0x083b, 0x085f, 0x0809, 0x0816, 0x0c0a],
  ],
  1253: [0x0408],
  1254: [0x041f, 0x042c, 0x0443],
  1255: [0x040d],
  1256: [0x0401, 0x0420, 0x0429, 0x0480, 0x048c],
  1257: [0x0425, 0x0426, 0x0427],
  1258: [0x042a],
};

/** Sort order identifiers of SQL Server's own collations (SQL_… in sys.fn_helpcollations), by code page. */
const ORDERS: Readonly<Record<number, readonly (readonly [from: number, to: number])[]>> = {
  437: [[30, 34]],
  850: [
    [40, 44],
    [49, 49],
    [55, 61],
  ],
  1250: [[80, 96]],
  1251: [[104, 108]],
  1252: [
    [51, 54],
    [71, 75],
    [183, 186],
  ],
  1253: [
    [112, 114],
    [120, 122],
    [124, 124],
  ],
  1254: [[128, 130]],
  1255: [[136, 138]],
  1256: [[144, 146]],
  1257: [[152, 160]],
};

const PAGE_BY_LANGUAGE = new Map(
  Object.entries(LANGUAGES).flatMap(([page, languages]) =>
    languages.map((language) => [language, Number(page)] as const),
  ),
);

const PAGE_BY_ORDER = new Map(
  Object.entries(ORDERS).flatMap(([page, ranges]) =>
    ranges.flatMap(([from, to]) =>
      Array.from({ length: to - from + 1 }, (_, step) => [from + step, Number(page)] as const),
    ),
  ),
);

/** The upper halves of pages that the platform does not decode: https://www.unicode.org/Public/MAPPINGS/VENDORS/MICSFT/PC/ */
const UPPER_HALVES: Readonly<Record<number, string>> = {
  437:
    "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀" +
    "αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0",
  850:
    "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀" +
    "ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0",
};

/** Encoding labels of the platform: https://encoding.spec.whatwg.org/#names-and-labels */
const LABELS: Readonly<Record<number, string>> = {
  874: "windows-874",
  932: "shift_jis",
  936: "gbk",
  949: "euc-kr",
  950: "big5",
  ...Object.fromEntries([0, 1, 2, 3, 4, 5, 6, 7, 8].map((last) => [1250 + last, `windows-125${last}`])),
};

const DECODERS: ReadonlyMap<number, Decode> = new Map([
  ...Object.entries(UPPER_HALVES).map(([page, upper]) => [Number(page), decodeHalves(upper)] as const),
  ...Object.entries(LABELS).map(([page, label]) => [Number(page), decodeLabel(label)] as const),
]);

function decodeHalves(upper: string): Decode {
  return (bytes) =>
    Array.from(bytes, (byte) => (byte < 0x80 ? String.fromCharCode(byte) : upper[byte - 0x80])).join("");
}

/** A byte without a character is an error: a replacement character would pass for the value. */
function decodeLabel(label: string): Decode {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  return (bytes) => {
    decoder ??= new TextDecoder(label, { fatal: true, ignoreBOM: true });
    try {
      return decoder.decode(bytes);
    } catch (error) {
      throw new UnreadableValue(`text that is not ${label}`, { cause: error });
    }
  };
}
