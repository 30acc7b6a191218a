import { createPrivateKey, generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { decryptedKey } from "../../src/connectors/encrypted-key.ts";
import { Secret } from "../../src/guard/secret.ts";
import { failureOf } from "./contract.ts";

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const plain = privateKey.export({ type: "pkcs8", format: "der" });
const encrypted = (cipher: string): Buffer =>
  privateKey.export({ type: "pkcs8", format: "der", cipher, passphrase: "ö pen" });
const decrypted = (key: Uint8Array, passphrase = "ö pen"): Promise<Secret> =>
  decryptedKey(new Secret(Buffer.from(key).toString("base64")), new Secret(passphrase), "private_key");

/** By `openssl pkcs8 -topk8 -v2 aes-128-cbc -v2prf hmacWithSHA1 -iter 3`: the digest that is not described. */
const BY_SHA1 =
  "MIHdMEgGCSqGSIb3DQEFDTA7MBoGCSqGSIb3DQEFDDANBAhm8P4o4iQxegIBAzAdBglghkgBZQMEAQIEELxH5rmhb9LD+bLgjw59dB4EgZBtYU0Q2G0+4ja1JfQhkWMbjwJMwPtD8bWEQdFdSgw70lxuYnH4kGvS+u2X+6SCoAKLyfcfhYAgv3fxRmc9CLORHDFn+zKbNQIOGFkSJgNLjXSZoF4V6u/JEivSlb2TwvUhWor61+3f01FygWjWB6tauyKYggWabeClL/C1z82w7N1LCJfzZNMX6twOHqDvI2A=";

describe("a key that OpenSSL encrypts", () => {
  it.each(["aes-128-cbc", "aes-192-cbc", "aes-256-cbc"])("by %s", async (cipher) => {
    expect((await decrypted(encrypted(cipher))).reveal()).toBe(plain.toString("base64"));
  });

  it("by the digest that stands for none", async () => {
    const key = Buffer.from((await decrypted(Buffer.from(BY_SHA1, "base64"), "sesame")).reveal(), "base64");
    expect(createPrivateKey({ key, format: "der", type: "pkcs8" }).asymmetricKeyType).toBe("ec");
  });
});

describe("a key that stays closed", () => {
  const whole = encrypted("aes-256-cbc");
  it.each<[string, Uint8Array, string, string]>([
    ["by another passphrase", whole, "open sesame", "is not decrypted by its passphrase"],
    ["by a cipher of old", encrypted("des-ede3-cbc"), "ö pen", "is encrypted in an unsupported way"],
    ["for its end is missing", whole.subarray(0, -1), "ö pen", "is encrypted in an unsupported way"],
    ["for it is none", plain, "ö pen", "is encrypted in an unsupported way"],
    ["for it would take minutes", patient(whole), "ö pen", "is encrypted by more than 100,000 iterations"],
  ])("%s", async (_why, key, passphrase, message) => {
    const failure = await failureOf(decrypted(key, passphrase));
    expect(failure).toMatchObject({ reason: "INVALID_CONNECTION", message: expect.stringContaining(message) });
    expect(failure.message + failure.hint).not.toMatch(/pen sesame|ö pen|MII/);
  });
});

/** With more iterations than there is room for two bytes: the salt in front of them gives one of its own. */
function patient(key: Buffer): Buffer {
  const count = key.indexOf(Buffer.from([0x02, 0x02, 0x08, 0x00]));
  const salt = [8, 16].find((length) => key[count - length - 2] === 0x04 && key[count - length - 1] === length);
  if (salt === undefined) throw new Error("no salt in front of the iterations");
  const changed = Buffer.from(key);
  changed.writeUInt8(salt - 1, count - salt - 1);
  Buffer.from([0x02, 0x03, 0x7f, 0xff, 0xff]).copy(changed, count - 1);
  return changed;
}
