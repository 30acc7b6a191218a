/**
 * Reads AWS's XML responses by element names. Their elements have no attributes except the namespace of the root, and no element
 * contains another of the same name. The responses come from servers that a caller names, so each function reads every character
 * once.
 */

/** The content of the first element of this name. */
export const inside = (xml: string, element: string): string | undefined => {
  const [found] = elementsIn(xml, element);
  return found && xml.slice(found.from, found.to);
};

/** The content of each element of this name. */
export const insideAll = (xml: string, element: string): readonly string[] =>
  Array.from(elementsIn(xml, element), ({ from, to }) => xml.slice(from, to));

/** The text without the elements of these names. */
export function withoutElements(xml: string, names: readonly string[]): string {
  const found = names.flatMap((name) =>
    Array.from(elementsIn(xml, name), ({ from, to }) => ({ from: from - name.length - 2, to: to + name.length + 3 })),
  );
  let kept = "";
  let at = 0;
  for (const { from, to } of found.sort((a, b) => a.from - b.from)) {
    if (from < at) continue;
    kept += xml.slice(at, from);
    at = to;
  }
  return kept + xml.slice(at);
}

/** The start and end of each element's content. The search stops at an element without an end. */
function* elementsIn(xml: string, name: string): Generator<{ readonly from: number; readonly to: number }> {
  const [open, close] = [`<${name}>`, `</${name}>`];
  for (let at = xml.indexOf(open); at >= 0; ) {
    const from = at + open.length;
    const to = xml.indexOf(close, from);
    if (to < 0) return;
    yield { from, to };
    at = xml.indexOf(open, to + close.length);
  }
}

/** The text of the first element of this name that contains no other element. */
export function valueOf(xml: string, element: string): string | undefined {
  const [open, close] = [`<${element}>`, `</${element}>`];
  for (let at = xml.indexOf(open); at >= 0; at = xml.indexOf(open, at + open.length)) {
    const from = at + open.length;
    const to = xml.indexOf("<", from);
    if (to < 0) return undefined;
    if (xml.startsWith(close, to)) return withoutEntities(xml.slice(from, to));
  }
  return undefined;
}

function withoutEntities(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,4}));/gi, (entity, decimal, hexadecimal, name) => {
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
