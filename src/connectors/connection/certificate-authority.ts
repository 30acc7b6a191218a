/** Certificates of authorities in connections. */

/**
 * PEM text, given directly or in base64; undefined for anything else. A path would read a file of this process for the caller.
 */
export function pemOf(value: string): string | undefined {
  const pem = isPem(value) ? value : decodeBase64(value);
  return pem !== undefined && isPem(pem) ? pem : undefined;
}

function isPem(text: string): boolean {
  return text.includes("-----BEGIN CERTIFICATE-----");
}

function decodeBase64(text: string): string | undefined {
  try {
    return atob(text.replaceAll(/\s/g, ""));
  } catch {
    return undefined;
  }
}
