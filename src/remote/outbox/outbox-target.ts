/** Where entries are sent. It does not contain the key, which is kept separately, in memory or encrypted. */
export type OutboxTarget = BrowserTarget | ServerTarget;

interface TargetState {
  readonly id: string;
  readonly name: string;
  /** nothing is sent before this time (ms since 1970): the target asked to wait, or was unreachable */
  readonly notBeforeMs: number;
  /** nothing is sent until the person has given a key */
  readonly needsKey: boolean;
}

/** The data service of this browser. */
export interface BrowserTarget extends TargetState {
  readonly kind: 'browser';
}

/** A server that runs Sightglass, or any host of the same API. */
export interface ServerTarget extends TargetState {
  readonly kind: 'server';
  /** origin and path, without credentials and query: `https://data.example:8080` */
  readonly url: string;
  readonly keyId: string;
  /** id of the machine part that the data is stored under */
  readonly partId: string;
}

export const browserTarget: BrowserTarget = {
  kind: 'browser',
  id: 'this-browser',
  name: 'This browser',
  notBeforeMs: 0,
  needsKey: false,
};

export class TargetError extends Error {
  override readonly name = 'TargetError';
  readonly code: 'bad-url' | 'bad-key-id' | 'bad-part';
  constructor(code: TargetError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * Checks a server as a person typed it.
 * @throws TargetError: no http or https address, an address with a user name or password, an empty key id or part
 */
export function serverTarget(typed: {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly keyId: string;
  readonly partId: string;
}): ServerTarget {
  const keyId = typed.keyId.trim();
  const partId = typed.partId.trim();
  const url = serverAddress(typed.url.trim());
  if (keyId === '') throw new TargetError('bad-key-id', 'The key id is empty; it was shown beside the key.');
  if (partId === '') throw new TargetError('bad-part', 'The part id is empty; the data is stored under a part.');
  const name = typed.name.trim() || new URL(url).host;
  return { kind: 'server', id: typed.id, name, url, keyId, partId, notBeforeMs: 0, needsKey: false };
}

/** A person logged in to a server, with the place that uploads go to. */
export interface LoggedInPerson {
  readonly membershipId: string;
  readonly personName: string;
  readonly organizationName: string;
  readonly partId: string;
}

const idPrefix = 'session:';

/**
 * The server that this page comes from, as one membership: sent to by the session of a log-in, in a cookie that no script
 * reads, instead of a key. What is queued for it waits until the same membership is logged in.
 */
export function sessionTarget(
  url: string,
  { membershipId, personName, organizationName, partId }: LoggedInPerson,
): ServerTarget {
  const name = `${organizationName} as ${personName}`;
  return {
    kind: 'server',
    id: `${idPrefix}${membershipId}`,
    name,
    url,
    keyId: '',
    partId,
    notBeforeMs: 0,
    needsKey: false,
  };
}

/** The membership whose session sends to a target; null: it is sent to by a key. */
export function membershipOf({ id }: Pick<ServerTarget, 'id'>): string | null {
  return id.startsWith(idPrefix) ? id.slice(idPrefix.length) : null;
}

/**
 * Completes the address of a server as a person typed it: without a slash at its end, and with https if it has no
 * scheme.
 * @throws TargetError: no http or https address, or one with a user name or password
 */
export function serverAddress(text: string): string {
  if (text === '') throw new TargetError('bad-url', 'The address is empty; give one like https://data.example.');
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  let url: URL;
  try {
    // Chromium accepts a space in a host name.
    if (/\s/.test(withScheme)) throw new TypeError('It has a space in it.');
    url = new URL(withScheme);
  } catch (cause) {
    throw new TargetError('bad-url', `"${text}" is not a web address; give one like https://data.example.`, { cause });
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new TargetError(
      'bad-url',
      `The address begins with ${url.protocol}//; only https:// and http:// are sent to.`,
    );
  }
  // The message does not repeat the text, which may contain the key.
  if (url.username !== '' || url.password !== '') {
    throw new TargetError('bad-url', 'The address has a user name or password in it; give the key in its own field.');
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}
