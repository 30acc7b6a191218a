/** An issuer of tokens: real keys, real signatures, and its keys published over HTTP on loopback. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from "jose";

export interface SigningKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

export interface Issuer {
  readonly url: string;
  /** Sets the published keys. */
  publish(...keys: readonly SigningKey[]): void;
  /** How the next answers are given, until it is called again; without an argument as an issuer should. */
  behave(answer?: (request: IncomingMessage, response: ServerResponse) => void): void;
  /** How often the keys were asked for. */
  readonly asked: () => number;
  close(): Promise<void>;
}

export async function signingKey(kid: string, algorithm = "RS256"): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true });
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: algorithm, use: "sig" } };
}

export function token(key: SigningKey, claims: JWTPayload, header: object = {}): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: key.jwk.alg ?? "RS256", kid: key.kid, ...header })
    .sign(key.privateKey);
}

export async function startIssuer(...keys: readonly SigningKey[]): Promise<Issuer> {
  let published = keys;
  let asked = 0;
  const publishing = (_request: IncomingMessage, response: ServerResponse): void => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ keys: published.map(({ jwk }) => jwk) }));
  };
  let answer = publishing;
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    asked++;
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/keys`,
    publish: (...next) => {
      published = next;
    },
    behave: (next = publishing) => {
      answer = next;
    },
    asked: () => asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
