/**
 * Answers of AWS's services in XML, read by the names of their elements: these have no attributes but the namespace of the
 * first, and none stands in another of its name.
 */

/** What stands in the first element of this name. */
export const inside = (xml: string, element: string): string | undefined =>
  new RegExp(`<${element}>(.*?)</${element}>`, "s").exec(xml)?.[1];

/** What stands in each element of this name. */
export const insideAll = (xml: string, element: string): readonly string[] =>
  Array.from(xml.matchAll(new RegExp(`<${element}>(.*?)</${element}>`, "gs")), ([, text = ""]) => text);

/** The text of the first element of this name. */
export function valueOf(xml: string, element: string): string | undefined {
  const text = new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml)?.[1];
  return text?.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,4}));/gi, (entity, decimal, hexadecimal, name) => {
    if (name !== undefined) return ENTITIES.get(name) ?? entity;
    const code = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : entity;
  });
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
]);
