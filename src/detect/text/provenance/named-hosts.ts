import { parseDestination, siteOf } from "../../building-blocks/hosts/normalise-host.ts";
import { namesHost } from "../../building-blocks/hosts/web-addresses.ts";
import type { Heard } from "./heard-texts.ts";

/** Which hosts the person or the operator spoke of: nothing goes to a stranger that goes there. */

export const saidIn = ({ said }: Heard): string => said.map((one) => one.text).join("\n");

/** True if somebody named the very host. */
export const saysHost = (heard: Heard, host: string): boolean =>
  namesHost(saidIn(heard).toLowerCase(), host.toLowerCase());

/** True if somebody named the host, its site, or the word that it is called by. */
export function isNamed(host: string, heard: Heard): boolean {
  const said = saidIn(heard).toLowerCase();
  const site = siteOf(parseDestination(host));
  const name = site.split(".")[0] ?? "";
  return said.includes(site) || (name.length > 3 && said.includes(name));
}
