const BYTES: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** Lower-case hexadecimal digits without a prefix: the text of binary values (docs/spec/contract.md#values). */
export function hexText(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += BYTES[byte];
  return text;
}
