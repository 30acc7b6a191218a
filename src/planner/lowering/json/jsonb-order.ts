/** Names of jsonb's members, in its order: the shorter ones in bytes come first. */
export function byLength(a: string, b: string): number {
  const [left, right] = [utf8(a), utf8(b)];
  return left.length - right.length || (left < right ? -1 : left > right ? 1 : 0);
}

/** Its bytes, a character for each. */
const utf8 = (name: string): string =>
  encodeURIComponent(name).replace(/%(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
