/** Whether data for this URL stays confidential: it is encrypted, or does not leave the machine. */
export function isSecure(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  const isLoopback = hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d+){3}$/.test(hostname);
  return protocol === "https:" || (protocol === "http:" && isLoopback);
}
