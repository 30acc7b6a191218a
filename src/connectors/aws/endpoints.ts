/** Endpoints of AWS services (https://docs.aws.amazon.com/general/latest/gr/rande.html). */

/** `https://athena.eu-west-1.amazonaws.com`; `region` already has the format of a region. */
export function endpointOf(service: "athena" | "redshift" | "sts", region: string): string {
  return `https://${service}.${region}.${region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com"}`;
}
