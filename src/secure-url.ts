/** Whether what is sent there is for nobody else: encrypted, or within this machine. */
export function isSecure(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  const isLoopback = hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d+){3}$/.test(hostname);
  return protocol === "https:" || (protocol === "http:" && isLoopback);
}
