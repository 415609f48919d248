const ISO_TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/;

/** True of a text that begins with a day and a time of it. */
export const isIsoTime = (text: string): boolean => ISO_TIME.test(text);
