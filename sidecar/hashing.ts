/** Signatures by Node's own functions: WebCrypto sends each of them through a thread, which takes ten times as long. */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { Hashing } from "../src/connectors/remote/signature.ts";

const mac = (secret: string, bytes: Uint8Array): Uint8Array => createHmac("sha256", secret).update(bytes).digest();

export const nodeHashing: Hashing = {
  sha256: (bytes) => createHash("sha256").update(bytes).digest(),
  mac,
  fits: (secret, given, bytes) => {
    const own = mac(secret, bytes);
    return given.length === own.length && timingSafeEqual(given, own);
  },
};
