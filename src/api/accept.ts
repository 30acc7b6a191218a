/** Content negotiation by `Accept` (docs/decisions/0007-formats.md; RFC 9110 §12.5.1). */

interface Range {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
}

/**
 * The best of `available` (in our order of preference) for an `Accept` header; `undefined` when the caller accepts none. An
 * absent header, or one without a readable range, accepts everything. A header that accepts plain text or HTML does too
 * (docs/decisions/0007-formats.md): tools that request `text/plain` or `text/html` can show JSON.
 */
export function negotiate<T extends string>(header: string | null, available: readonly T[]): T | undefined {
  const ranges = parseAccept(header ?? "");
  if (ranges.length === 0) return available[0];
  let best: T | undefined;
  let bestQuality = 0;
  for (const candidate of available) {
    const quality = qualityOf(candidate, ranges);
    if (quality > bestQuality) {
      best = candidate;
      bestQuality = quality;
    }
  }
  return best ?? (ranges.some(showsText) ? available[0] : undefined);
}

/** Excludes `text/csv`, which is an output format: a caller that requests it would parse JSON as rows. */
const showsText = ({ type, subtype, quality }: Range): boolean =>
  type === "text" && ["plain", "html", "*"].includes(subtype) && quality > 0;

function parseAccept(header: string): Range[] {
  return header.split(",").flatMap((item) => {
    const [name = "", ...parameters] = item.split(";").map((part) => part.trim());
    const match = /^([\w!#$&^.+*-]+)\/([\w!#$&^.+*-]+)$/.exec(name.toLowerCase());
    if (match === null) return [];
    const weight = parameters.find((parameter) => /^q=/i.test(parameter));
    const quality = weight === undefined ? 1 : Number(weight.slice(2));
    return Number.isNaN(quality)
      ? []
      : [{ type: match[1] ?? "", subtype: match[2] ?? "", quality: Math.min(Math.max(quality, 0), 1) }];
  });
}

/** The weight of the most specific range that matches. */
function qualityOf(mediaType: string, ranges: readonly Range[]): number {
  const [type, subtype] = mediaType.split("/");
  let quality = 0;
  let specificity = -1;
  for (const range of ranges) {
    const precision = range.type === "*" ? 0 : range.subtype === "*" ? 1 : 2;
    const matches =
      (range.type === "*" && range.subtype === "*") ||
      (range.type === type && (range.subtype === "*" || range.subtype === subtype));
    if (matches && precision > specificity) {
      quality = range.quality;
      specificity = precision;
    }
  }
  return quality;
}
