/** `npm run key`: makes a key for a caller, and what the setting `API_KEYS` lists of it. */
import { createHash, randomBytes } from "node:crypto";

// 256 bits: no guess comes near, so a plain digest is enough to keep.
const key = `sk_${randomBytes(32).toString("base64url")}`;
const sha256 = createHash("sha256").update(key).digest("hex");
console.log(
  `key     ${key}\ndigest  ${sha256}\n\nGive the key to the caller, and list the digest: {"NAME": {"digests": ["${sha256}"]}}`,
);
