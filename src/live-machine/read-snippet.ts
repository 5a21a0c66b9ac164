/** What the code that connects to a machine says of it. */
export interface MachineSnippet {
  /** "robot-main.abc123.viam.cloud" */
  readonly host: string;
  /** '' where it is not there */
  readonly keyId: string;
  /** '' where it is not there, or a placeholder stands for it */
  readonly key: string;
}

/**
 * Reads the code that an account shows under *Connect*, in Python, Go, TypeScript, C++ or Dart: its only texts that matter are the name of
 * the machine, the id of a key, a UUID, and the key beside `payload` or `api_key`. Null: no name of a machine is in it.
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
