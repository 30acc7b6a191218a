/** Valid forms of entries in a list of hosts that may be dialled. */

/** The problem of an entry, as the end of a sentence; `undefined` for an entry that can match a host. */
export function hostEntryProblem(entry: string): string | undefined {
  if (entry === "*") return undefined;
  if (entry.includes("/")) return isNetwork(entry) ? undefined : "is no range like 10.0.0.0/8";
  if (entry.includes(":") || entry.startsWith("[")) {
    return isVersion6(entry.replace(/^\[(.*)\]$/, "$1"))
      ? undefined
      : "is no IPv6 address; ports are not part of an entry";
  }
  if (/^[\d.]+$/.test(entry)) return isVersion4(entry) ? undefined : "is no IPv4 address";
  if (entry.includes("*")) return "has a * inside; write .example.com for all hosts below one";
  const labels = entry.replace(/^\./, "").replace(/\.$/, "").split(".");
  const isName = labels.every((label) => /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/i.test(label));
  return isName ? undefined : "is no name of a host";
}

function isNetwork(entry: string): boolean {
  const [address = "", prefix = "", ...more] = entry.split("/");
  if (more.length > 0 || !/^\d{1,3}$/.test(prefix)) return false;
  const bare = address.replace(/^\[(.*)\]$/, "$1");
  return bare.includes(":") ? isVersion6(bare) && Number(prefix) <= 128 : isVersion4(bare) && Number(prefix) <= 32;
}

function isVersion4(text: string): boolean {
  const parts = text.split(".");
  return parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
}

function isVersion6(text: string): boolean {
  try {
    return text.includes(":") && /^[\da-f:.]+$/i.test(text) && new URL(`http://[${text}]`).hostname !== "";
  } catch {
    return false;
  }
}
