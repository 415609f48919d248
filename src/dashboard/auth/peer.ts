/** Who is asking, as the HTTP thread saw it: it sets this header on all it forwards, whatever the client sent. */
export const PEER_HEADER = "x-ats-peer";

export function peerOf(request: Request): string {
  return request.headers.get(PEER_HEADER) ?? "unknown";
}
