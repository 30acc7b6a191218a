/**
 * XXH64 with the seed 0 (https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md), the hash of Parquet's Bloom filters.
 */

const P1 = 0x9e3779b185ebca87n;
const P2 = 0xc2b2ae3d27d4eb4fn;
const P3 = 0x165667b19e3779f9n;
const P4 = 0x85ebca77c2b2ae63n;
const P5 = 0x27d4eb2f165667c5n;

const STRIPE_BYTES = 32;

const wrap = (value: bigint): bigint => BigInt.asUintN(64, value);
const times = (a: bigint, b: bigint): bigint => wrap(a * b);
const turned = (value: bigint, by: bigint): bigint => wrap((value << by) | (value >> (64n - by)));
const round = (sum: bigint, lane: bigint): bigint => times(turned(wrap(sum + times(lane, P2)), 31n), P1);
const merged = (hash: bigint, sum: bigint): bigint => wrap(times(hash ^ round(0n, sum), P1) + P4);

/** Called for one or two values per file, so BigInt is fast enough. */
export function xxHash64(bytes: Uint8Array): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  let hash = P5;
  if (bytes.length >= STRIPE_BYTES) {
    const sums = [wrap(P1 + P2), P2, 0n, wrap(-P1)];
    for (; at + STRIPE_BYTES <= bytes.length; at += STRIPE_BYTES) {
      for (const [lane, sum] of sums.entries()) sums[lane] = round(sum, view.getBigUint64(at + 8 * lane, true));
    }
    hash = wrap(sums.reduce((all, sum, lane) => all + turned(sum, [1n, 7n, 12n, 18n][lane] ?? 0n), 0n));
    hash = sums.reduce(merged, hash);
  }
  hash = wrap(hash + BigInt(bytes.length));
  for (; at + 8 <= bytes.length; at += 8) {
    hash = wrap(times(turned(hash ^ round(0n, view.getBigUint64(at, true)), 27n), P1) + P4);
  }
  if (at + 4 <= bytes.length) {
    hash = wrap(times(turned(hash ^ times(BigInt(view.getUint32(at, true)), P1), 23n), P2) + P3);
    at += 4;
  }
  for (; at < bytes.length; at++) hash = times(turned(hash ^ times(BigInt(view.getUint8(at)), P5), 11n), P1);
  hash = times(hash ^ (hash >> 33n), P2);
  hash = times(hash ^ (hash >> 29n), P3);
  return hash ^ (hash >> 32n);
}
