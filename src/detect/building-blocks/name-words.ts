/**
 * Names in one piece with their words set apart, as rules over words read them: `scrollDown`, `NodeNotReady`.
 */

/** `scroll_Down`, `v2_Beta`. */
export const underscored = (name: string): string => name.replace(/(?<=[a-z\d])(?=[A-Z])/g, "_");

/** `Node Not Ready`; a figure stays with what follows it, as in `v2Beta`. */
export const spaced = (name: string): string => name.replace(/([a-z])([A-Z])/g, "$1 $2");
