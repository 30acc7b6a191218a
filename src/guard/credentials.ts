/** Finds the credential of a request: exactly one, or a refusal. */
import { type Authentication, refused } from "./caller.ts";

/** Longer credentials are rejected unread: tokens of identity providers have about 2 KB. */
const LONGEST = 16 * 1024;

type Credential = { readonly ok: true; readonly text: string } | Extract<Authentication, { ok: false }>;

/**
 * The bearer token of `Authorization`, or the value of `other` if that header is named. Two headers of one name arrive joined by
 * a comma, which no credential contains, so nobody can add a second credential and choose which one counts.
 */
export function credentialOf(headers: Headers, other: string | undefined): Credential {
  const authorization = headers.get("authorization");
  const alone = other === undefined ? null : headers.get(other);
  if (authorization === null && alone === null) return missing(other);
  if (authorization !== null && alone !== null) {
    return refused("CREDENTIALS_INVALID", `The request has both Authorization and ${other}.`, "Send one of them.");
  }
  return authorization === null ? plain(alone ?? "") : bearer(authorization);
}

/** The value of a header that contains only a token. Other headers of the request are ignored. */
export function tokenIn(headers: Headers, header: string): Credential {
  const text = headers.get(header);
  return text === null
    ? refused("CREDENTIALS_MISSING", "The request has no token.", `Send it in the header ${header}.`)
    : plain(text);
}

function missing(other: string | undefined): Credential {
  const hint = `Send the header Authorization: Bearer …${other === undefined ? "" : `, or ${other}: …`}`;
  return refused("CREDENTIALS_MISSING", "The request does not say who calls.", `${hint}.`);
}

function bearer(header: string): Credential {
  const text = /^bearer +(\S.*)$/i.exec(header)?.[1];
  if (text !== undefined) return plain(text);
  return refused("CREDENTIALS_INVALID", "The scheme of Authorization is not Bearer.", "Send Authorization: Bearer ….");
}

/** RFC 6750 §2.1: letters, digits and a few signs; no blanks, no commas. */
function plain(text: string): Credential {
  if (text.length > LONGEST) return refused("CREDENTIALS_INVALID", "The credential is too long.");
  if (/^[\w.~+/-]+=*$/.test(text)) return { ok: true, text };
  return refused(
    "CREDENTIALS_INVALID",
    "The credential is not one token.",
    "Send one header with one token: letters, digits and - . _ ~ + / =.",
  );
}
