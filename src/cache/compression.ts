/** Compresses values where that saves enough. */

/** Below this size, a packet takes as long as one half as large. */
const WORTHWHILE_BYTES = 16 * 1024;
/** Maximum size after compression, as a share of the original: reading pays for decompression. */
const WORTHWHILE_SHARE = 0.75;

/** `undefined` when compression does not save enough. */
export async function compressed(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (bytes.length < WORTHWHILE_BYTES) return undefined;
  const shorter = await through(bytes, new CompressionStream("deflate-raw"));
  return shorter.length <= bytes.length * WORTHWHILE_SHARE ? shorter : undefined;
}

/** @throws TypeError for bytes that `compressed` did not write. */
export function decompressed(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return through(bytes, new DecompressionStream("deflate-raw"));
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  transform: CompressionStream | DecompressionStream,
): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(transform)).arrayBuffer());
}
