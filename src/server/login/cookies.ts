import type { Request, Response } from '../http/exchange.ts';

/** A cookie that no script reads. Browsers send it to this host alone, and one that was set over https only over https. */
export interface Cookie {
  readonly name: string;
  /** text of the characters that a cookie can have (RFC 6265, section 4.1.1); '': the cookie is deleted */
  readonly value: string;
  readonly sameSite: 'Strict' | 'Lax';
  readonly maxAgeSeconds: number;
}

/**
 * The name under which a cookie is kept for an origin. A browser takes a cookie with `__Host-` only over https, and only from the host to
 * which it sends it (RFC 6265bis, section 4.1.3); plain http, as on loopback and in a workshop, cannot have one.
 */
export const cookieName = (name: string, origin: string): string => (isSecure(origin) ? `__Host-${name}` : name);

const isSecure = (origin: string): boolean => origin.startsWith('https:');

/** The longest value that is read; ours are shorter. */
const maxLength = 4096;

/**
 * The value of a cookie; null: it was not sent, is too long to be ours, or came more than once, of which one may be somebody
 * else's, set by a page of the same site.
 */
export function readCookie(request: Request, name: string): string | null {
  const values = (request.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  const [value] = values;
  return values.length === 1 && value !== '' && value!.length <= maxLength ? value! : null;
}

/** Adds a cookie to the response, for the origin that the browser has asked. */
export function sendCookie(response: Response, origin: string, cookie: Cookie): void {
  const parts = [
    `${cookieName(cookie.name, origin)}=${cookie.value}`,
    'Path=/',
    `Max-Age=${cookie.value === '' ? 0 : cookie.maxAgeSeconds}`,
    'HttpOnly',
    `SameSite=${cookie.sameSite}`,
    ...(isSecure(origin) ? ['Secure'] : []),
  ];
  const before = (response.getHeader('set-cookie') ?? []) as string[];
  response.setHeader('set-cookie', [...before, parts.join('; ')]);
}
