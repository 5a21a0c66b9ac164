import { authorityOf, type Request } from '../http/exchange.ts';

/** The origin to which a request was sent, as this server sees it: http behind a proxy that ends TLS. Null: the request names no host. */
export function requestedOrigin(request: Request): string | null {
  const scheme = 'encrypted' in request.socket ? 'https' : 'http';
  const address = `${scheme}://${authorityOf(request) ?? ''}`;
  return URL.canParse(address) ? new URL(address).origin : null;
}

/**
 * The origins of this server to which the page that sent a request can belong. Empty: the browser says that the page belongs to
 * another origin, or does not say to which. A stranger's page can send such a request (CSRF), with the cookies of its victim.
 * @param publicOrigin by which clients reach the server where a proxy stands before it; null: none
 */
export function ownOriginsOf(request: Request, publicOrigin: string | null): readonly string[] {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site !== undefined && site !== 'same-origin') return [];
  const own = [...new Set([publicOrigin, requestedOrigin(request)])].filter((each) => each !== null);
  if (origin !== undefined) return own.filter((each) => each === origin);
  // with a GET of the same origin browsers send no Origin
  return request.method === 'GET' || request.method === 'HEAD' ? own : [];
}
