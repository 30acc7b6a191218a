/** Shared by connections to AWS services: regions and access keys. */
import { Secret } from "../../guard/secret.ts";
import { invalidConnection } from "./connection.ts";

/** The parts of a region's name, which is part of host names. https://docs.aws.amazon.com/general/latest/gr/rande.html */
export const AWS_REGION = /^[a-z]{2}(?:-(?:gov|iso[a-z]?))?-[a-z]{4,12}-\d{1,2}$/;

export interface AwsKeys {
  readonly accessKeyId: Secret;
  readonly secretAccessKey: Secret;
  readonly sessionToken: Secret | undefined;
}

/** The members of `connectionInfo` that hold them. */
interface KeyMembers<Member extends string> {
  readonly id: Member;
  readonly secret: Member;
  readonly session: Member;
}

/** `undefined` without keys. Throws INVALID_CONNECTION if only a part is given, and for text that is not allowed in a header. */
export function keysOf<Member extends string>(
  given: { readonly [M in Member]?: string | null | undefined },
  members: KeyMembers<Member>,
): AwsKeys | undefined {
  const [id, secret, session] = [given[members.id], given[members.secret], given[members.session]];
  if (!id && !secret) return undefined;
  if (!id) throw invalidConnection(members.id, `is missing beside ${members.secret}`);
  if (!secret) throw invalidConnection(members.secret, `is missing beside ${members.id}`);
  for (const [member, value] of [[members.id, id] as const, [members.session, session] as const]) {
    if (value && !/^[\x21-\x7e]+$/.test(value))
      throw invalidConnection(member, "must be of printable ASCII characters");
  }
  return {
    accessKeyId: new Secret(id),
    secretAccessKey: new Secret(secret),
    sessionToken: session ? new Secret(session) : undefined,
  };
}
