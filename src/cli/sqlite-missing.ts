// node:sqlite with time-outs and the state of transactions: https://nodejs.org/api/sqlite.html, "History"
const first = { 22: 16, 24: 0 } as const;

/**
 * Says why a version of Node cannot keep data.
 * @param version of Node: "24.1.0"
 * @returns one sentence; null: it can
 * @example
 * sqliteMissing('24.1.0'); // => null
 * sqliteMissing('20.1.0').includes('needs Node 24'); // => true
 */
export function sqliteMissing(version: string): string | null {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const enough = major > 24 || (major in first && minor >= first[major as keyof typeof first]);
  return enough
    ? null
    : `This command keeps its data in Node's own SQLite, which needs Node 24 (or 22.16 and later); this is Node ${version}.`;
}
