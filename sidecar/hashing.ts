/** Signatures by Node's own functions: WebCrypto sends each of them through a thread, which takes ten times as long. */
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from "node:crypto";
import type { Hashing } from "../src/connectors/remote/signature.ts";

/** By secret: the deployment's, two of them at most. Making one takes longer than using it. */
const keys = new Map<string, KeyObject>();

function keyOf(secret: string): KeyObject {
  const known = keys.get(secret);
  if (known !== undefined) return known;
  const key = createSecretKey(secret, "utf8");
  keys.set(secret, key);
  return key;
}

function mac(secret: string, pieces: readonly Uint8Array[]): Uint8Array {
  const hmac = createHmac("sha256", keyOf(secret));
  for (const piece of pieces) hmac.update(piece);
  return hmac.digest();
}

export const nodeHashing: Hashing = {
  mac,
  fits: (secret, given, pieces) => {
    const own = mac(secret, pieces);
    return given.length === own.length && timingSafeEqual(given, own);
  },
};
