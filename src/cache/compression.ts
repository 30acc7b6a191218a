/** Makes values smaller where it pays. */

/** Below, a packet takes as long as one that is half as large. */
const WORTHWHILE_BYTES = 16 * 1024;
/** What compressing has to save: reading costs the time of undoing it. */
const WORTHWHILE_SHARE = 0.75;

/** `undefined` when it does not pay. */
export async function compressed(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (bytes.length < WORTHWHILE_BYTES) return undefined;
  const shorter = await through(bytes, new CompressionStream("deflate-raw"));
  return shorter.length <= bytes.length * WORTHWHILE_SHARE ? shorter : undefined;
}

/** @throws TypeError for bytes that were not compressed so. */
export function decompressed(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return through(bytes, new DecompressionStream("deflate-raw"));
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  transform: CompressionStream | DecompressionStream,
): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(transform)).arrayBuffer());
}
