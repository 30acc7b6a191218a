/** Where services of AWS answer (https://docs.aws.amazon.com/general/latest/gr/rande.html). */

/** `https://athena.eu-west-1.amazonaws.com`; `region` has been held to the form of one. */
export function endpointOf(service: "athena" | "redshift" | "sts", region: string): string {
  return `https://${service}.${region}.${region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com"}`;
}
