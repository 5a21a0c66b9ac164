/** Name and API key of a machine, read from code that connects to it. */
export interface MachineSnippet {
  /** "robot-main.abc123.viam.cloud" */
  readonly host: string;
  /** '' if the code has none */
  readonly keyId: string;
  /** '' if the code has none, or a placeholder */
  readonly key: string;
}

/**
 * Reads the code that an account shows under *Connect*, in any language: it looks for a name under viam.cloud, a key id, which is a
 * UUID, and the key after `payload`, `api_key` or the key id. Null: the text is an address alone, or has no such name.
 */
export function readSnippet(text: string): MachineSnippet | null {
  const host = /\b(?:[a-z0-9-]+\.)+viam\.cloud\b/i.exec(text)?.[0];
  if (!host || text.trim().length <= host.length + 'https:///'.length) return null;
  const keyId = /["'`]([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})["'`]/i.exec(text)?.[1] ?? '';
  const key = /(?:payload|api[_-]?key)["'`]?\s*[:=(,]\s*["'`]([^"'`\s<>]{16,})["'`]/gi;
  const behindId = keyId === '' ? [] : [...text.matchAll(/["'`]\s*,\s*["'`]([a-z0-9]{16,})["'`]/gi)];
  const keys = [...text.matchAll(key), ...behindId].map(([, found]) => found!).filter((found) => found !== keyId);
  return { host, keyId, key: keys[0] ?? '' };
}
