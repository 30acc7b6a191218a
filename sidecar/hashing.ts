/** Signatures by Node's own functions: WebCrypto sends each of them through a thread, which takes ten times as long. */
import { createHmac, createSecretKey, hash, type KeyObject, timingSafeEqual } from "node:crypto";
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

const mac = (secret: string, bytes: Uint8Array): Uint8Array =>
  createHmac("sha256", keyOf(secret)).update(bytes).digest();

export const nodeHashing: Hashing = {
  sha256: (bytes) => hash("sha256", bytes, "buffer"),
  mac,
  fits: (secret, given, bytes) => {
    const own = mac(secret, bytes);
    return given.length === own.length && timingSafeEqual(given, own);
  },
};
