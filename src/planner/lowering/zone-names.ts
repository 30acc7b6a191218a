/** Names of time zones that every engine with IANA's database knows. */

const NAME = /^(?:UTC|GMT|[A-Z][A-Za-z_]+(?:\/[A-Za-z_]+)+)$/;

/** Whether IANA's database has the name: some engines answer NULL for a zone that they do not know. */
export function isZoneName(name: string): boolean {
  if (!NAME.test(name)) return false;
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}
