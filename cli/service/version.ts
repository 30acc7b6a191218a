/** Whether this command understands a service of another version. */
import { UsageError } from "../exit.ts";

/** A warning if the minor version differs. Throws `UsageError` if the major version differs. */
export function versionWarning(ours: string, theirs: string | undefined): string | undefined {
  const [own, other] = [partsOf(ours), partsOf(theirs ?? "")];
  if (other === undefined || own === undefined) {
    return "The service reports no version: its answers may have another form.";
  }
  if (own.major !== other.major) {
    const hint = `Install version ${other.major} of siskin, or update the service.`;
    throw new UsageError(
      `The service has version ${theirs}, the command ${ours}: their major versions differ. ${hint}`,
    );
  }
  if (own.minor === other.minor) return undefined;
  return `The service has version ${theirs}, the command ${ours}: what one of them has may be missing in the other.`;
}

function partsOf(version: string): { readonly major: number; readonly minor: number } | undefined {
  const [, major, minor] = /^(\d{1,9})\.(\d{1,9})\.\d/.exec(version) ?? [];
  return major === undefined ? undefined : { major: Number(major), minor: Number(minor) };
}
