/** `npm run key`: creates a key for a caller, and its entry for the setting `API_KEYS`. */
import { createHash, randomBytes } from "node:crypto";

// 256 random bits cannot be guessed, so a plain digest is safe to store.
const key = `sk_${randomBytes(32).toString("base64url")}`;
const sha256 = createHash("sha256").update(key).digest("hex");
console.log(
  `key     ${key}\ndigest  ${sha256}\n\nGive the key to the caller, and list the digest: {"NAME": {"digests": ["${sha256}"]}}`,
);
