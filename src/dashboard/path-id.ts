/**
 * A client's own id as one segment of a path, of the pages and of the API. Percent encoding carries any id
 * but `.` and `..`: a browser takes them for steps along the path, written as %2E too. A tilde goes before
 * these two, and before what would then look like them; any other id stays as it is. Still to be
 * percent-encoded.
 */

export function pathIdOf(id: string): string {
  return /^~*\.{1,2}$/.test(id) ? `~${id}` : id;
}

export function idOfPath(pathId: string): string {
  return /^~+\.{1,2}$/.test(pathId) ? pathId.slice(1) : pathId;
}
