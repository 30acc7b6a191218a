/**
 * Decides which hosts may be dialled (docs/decisions/0026-placement.md). Pure: it takes text and returns a verdict. The code that
 * dials must use the address that was checked.
 *
 * A host is first made canonical and then checked, because some resolver maps each of `2130706433`, `0x7f.1`, `127.1`,
 * `[::ffff:7f00:1]` and `１２７.0.0.1` to 127.0.0.1, and filters that compare the caller's text have let each of them through.
 */
import { once } from "../once.ts";

export type HostScope =
  /** Reachable from the internet. */
  | "public"
  /** Loopback, link-local, private and reserved ranges; names that no public resolver answers. */
  | "private"
  /** Cloud metadata services: they give credentials to any client, so the service never connects to them. */
  | "metadata";

/** An IP address as bits: 32 for version 4, 128 for version 6. */
interface Address {
  readonly bits: 32 | 128;
  readonly value: bigint;
}

interface Network extends Address {
  readonly prefix: number;
}

/**
 * The host in its only canonical form: lower case, IDNA, numbers as dotted decimal or compressed IPv6 without brackets and zone,
 * no trailing dot. `undefined` for text that is not a host (several hosts, socket directories, control characters).
 */
export function canonicalHost(text: string): string | undefined {
  // The URL parser drops tabs and line ends and would read user names, ports and paths: none of that is a host.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (text === "" || text.length > 1024 || /[\x00-\x20\x7f@/\\?#,]/.test(text)) return undefined;
  const bare = text.startsWith("[") && text.endsWith("]") ? text.slice(1, -1) : text;
  const isVersion6 = bare.includes(":");
  // A zone (`fe80::1%eth0`) names an interface, not a host.
  const zone = bare.indexOf("%", bare.lastIndexOf(":") + 1);
  const authority = isVersion6 ? `[${zone < 0 ? bare : bare.slice(0, zone)}]` : bare;
  let hostname: string;
  try {
    hostname = new URL(`http://${authority}`).hostname;
  } catch {
    return undefined;
  }
  if (hostname.startsWith("[")) return hostname.slice(1, -1);
  const name = hostname.endsWith(".") ? hostname.slice(0, -1) : hostname;
  if (name.length > 253 || name.split(".").some((label) => label === "" || label.length > 63)) return undefined;
  return name;
}

/** Scope of a canonical host, name or address. A public *name* may still resolve to a private address: see `judgeDial`. */
export function hostScope(host: string): HostScope {
  const address = parseAddress(host);
  if (address !== undefined) return addressScope(address);
  if (METADATA_NAMES.has(host)) return "metadata";
  if (!host.includes(".")) return "private";
  return PRIVATE_SUFFIXES.some((suffix) => host.endsWith(suffix)) ? "private" : "public";
}

export type DialVerdict =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly because: "metadata" | "not listed" | "not an address" };

/**
 * Whether the sidecar may dial `address`, to which it resolved the canonical `host`. Entries of `allowed` are host names,
 * suffixes (`.internal`), addresses and CIDR ranges; `*` allows all. Metadata services are never allowed.
 */
export function judgeDial(host: string, address: string, allowed: readonly string[]): DialVerdict {
  const parsed = parseAddress(address.replace(/%.*/s, ""));
  if (parsed === undefined) return { allowed: false, because: "not an address" };
  if (addressScope(parsed) === "metadata" || hostScope(host) === "metadata") {
    return { allowed: false, because: "metadata" };
  }
  const listed = allowed.some((entry) => {
    if (entry === "*") return true;
    const network = parseNetwork(entry);
    if (network !== undefined) return embedded(parsed).some((form) => contains(network, form));
    const name = entry.toLowerCase().replace(/\.$/, "");
    return name.startsWith(".") ? host.endsWith(name) : host === name;
  });
  return listed ? { allowed: true } : { allowed: false, because: "not listed" };
}

const METADATA_NAMES: ReadonlySet<string> = new Set([
  "metadata",
  "metadata.google.internal",
  "metadata.goog",
  "instance-data",
  "instance-data.ec2.internal",
  "metadata.tencentyun.com",
  "metadata.platformequinix.com",
]);

/** RFC 6761, 6762, 8375, ICANN's reserved names, and what container platforms resolve by themselves. */
const PRIVATE_SUFFIXES = [
  ".local",
  ".localhost",
  ".localdomain",
  ".internal",
  ".intranet",
  ".private",
  ".corp",
  ".home",
  ".lan",
  ".home.arpa",
  ".svc",
  ".consul",
  ".onion",
] as const;

/** AWS, GCP, Azure, OCI, DigitalOcean and others; ECS and EKS credentials; Azure's wire server; Alibaba; Tencent. */
const metadataNetworks = networks(
  "169.254.169.0/24",
  "169.254.170.0/24",
  "169.254.0.23/32",
  "168.63.129.16/32",
  "100.100.100.200/32",
  "192.0.0.192/32",
  "fd00:ec2::/32",
  "fd20:ce::/32",
  "fe80::a9fe:a9fe/128",
  // Local-use NAT64: only the network knows the IPv4 address behind it (RFC 8215).
  "64:ff9b:1::/48",
);

/** IANA's special-purpose registry for IPv4: all ranges that are not globally reachable. */
const privateNetworks4 = networks(
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
);

/** For IPv6 the reverse: only global unicast is public, without its special-purpose ranges. */
const globalUnicast6 = networks("2000::/3");
const privateNetworks6 = networks("2001::/23", "2001:db8::/32", "3fff::/20");

/** IPv6 forms that contain an IPv4 address, and its distance from the right: mapped, translated, compatible, NAT64, 6to4. */
const embeddings = once(() =>
  (
    [
      ["::ffff:0:0/96", 0n],
      ["::ffff:0:0:0/96", 0n],
      ["::/96", 0n],
      ["64:ff9b::/96", 0n],
      ["2002::/16", 80n],
    ] as const
  ).flatMap(([text, shift]) => networks(text)().map((network) => ({ network, shift }))),
);

function addressScope(address: Address): HostScope {
  const forms = embedded(address);
  if (forms.some((form) => metadataNetworks().some((network) => contains(network, form)))) return "metadata";
  // An address that contains an IPv4 address is judged as that address.
  return isPrivate(forms.at(-1) ?? address) ? "private" : "public";
}

function isPrivate(address: Address): boolean {
  if (address.bits === 32) return privateNetworks4().some((network) => contains(network, address));
  if (!globalUnicast6().some((network) => contains(network, address))) return true;
  return privateNetworks6().some((network) => contains(network, address));
}

/** The address itself, and the IPv4 address inside it when there is one. */
function embedded(address: Address): Address[] {
  const embedding = embeddings().find(({ network }) => contains(network, address));
  // `::` and `::1` look like IPv4-compatible addresses, but are not.
  if (embedding === undefined || address.value <= 1n) return [address];
  return [address, { bits: 32, value: (address.value >> embedding.shift) & 0xffff_ffffn }];
}

function contains(network: Network, address: Address): boolean {
  if (network.bits !== address.bits) return false;
  const shift = BigInt(network.bits - network.prefix);
  return network.value >> shift === address.value >> shift;
}

/** Parsed on first use: an isolate runs all modules before it answers, and most requests contain no host. */
function networks(...texts: string[]): () => readonly Network[] {
  return once(() => texts.map(parseNetwork).filter((network) => network !== undefined));
}

function parseNetwork(text: string): Network | undefined {
  const [, base, prefixText] = /^\[?([^/\]]+)\]?(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const address = base === undefined ? undefined : parseAddress(base);
  if (address === undefined) return undefined;
  const prefix = prefixText === undefined ? address.bits : Number(prefixText);
  return prefix <= address.bits ? { ...address, prefix } : undefined;
}

/** Only canonical spellings: dotted decimal without leading zeros, and IPv6. */
function parseAddress(text: string): Address | undefined {
  if (text.includes(":")) return parseVersion6(text);
  const parts = text.split(".");
  if (parts.length !== 4) return undefined;
  let value = 0n;
  for (const part of parts) {
    if (!/^(0|[1-9]\d{0,2})$/.test(part) || Number(part) > 255) return undefined;
    value = (value << 8n) | BigInt(part);
  }
  return { bits: 32, value };
}

function parseVersion6(text: string): Address | undefined {
  let hostname: string;
  try {
    hostname = new URL(`http://[${text}]`).hostname.slice(1, -1);
  } catch {
    return undefined;
  }
  // The URL parser has already compressed the address and converted a dotted tail to groups.
  const [head = "", tail] = hostname.split("::");
  const groups = (part: string) => (part === "" ? [] : part.split(":"));
  const left = groups(head);
  const right = tail === undefined ? [] : groups(tail);
  const all = [...left, ...Array<string>(8 - left.length - right.length).fill("0"), ...right];
  return { bits: 128, value: all.reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n) };
}
