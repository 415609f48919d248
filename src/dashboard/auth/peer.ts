import { BlockList, isIP } from "node:net";

/**
 * Who is asking, as the HTTP thread saw it: it sets this header on all it forwards, whatever the client sent.
 */
export const PEER_HEADER = "x-ats-peer";

export function peerOf(request: Request): string {
  return request.headers.get(PEER_HEADER) ?? "unknown";
}

/**
 * The address of the client. Invariant: X-Forwarded-For is believed from the right, hop by hop, as long as
 * who wrote the hop is one of the proxies named in the setting; what stands further left may be anybody's
 * invention.
 */
export function clientAddressBy(
  trustedProxies: readonly string[],
): (peer: string | undefined, forwardedFor: string | null) => string {
  const trusted = new BlockList();
  for (const cidr of trustedProxies) {
    const [network = "", bits = ""] = cidr.split("/");
    trusted.addSubnet(network, Number(bits), familyOf(network));
  }
  const isTrusted = (address: string) => isIP(address) !== 0 && trusted.check(address, familyOf(address));

  return (peer, forwardedFor) => {
    let client = plainAddress(peer ?? "");
    if (client === "") return "unknown";
    const hops = forwardedFor?.split(",") ?? [];
    while (isTrusted(client)) {
      const hop = plainAddress(hops.pop() ?? "");
      if (hop === "") break;
      client = hop;
    }
    return client;
  };
}

const familyOf = (address: string) => (isIP(address) === 6 ? "ipv6" : "ipv4");

/** Without port, brackets and zone, and IPv4 as such; empty for what is no address. */
function plainAddress(text: string): string {
  const [, bracketed, withPort] =
    /^\s*(?:\[([^\]]*)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)\s*$/.exec(text) ?? [];
  const bare = (bracketed ?? withPort ?? text).trim().replace(/%.*$/, "");
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare) ?? [];
  const address = mapped ?? bare;
  return isIP(address) === 0 ? "" : address;
}
