import { authorityOf, type Request } from '../exchange.ts';

/** The origin that a request was sent to, as the server sees it: behind a proxy that ends TLS it is of http. Null: it names no host. */
export function requestedOrigin(request: Request): string | null {
  const scheme = 'encrypted' in request.socket ? 'https' : 'http';
  const address = `${scheme}://${authorityOf(request) ?? ''}`;
  return URL.canParse(address) ? new URL(address).origin : null;
}

/**
 * Of which of this server's own origins a page is that has sent a request; none: the browser says that it is of another, or says
 * nothing. What another origin sends may be a stranger's wish (CSRF), whatever cookies come with it.
 * @param publicOrigin by which clients reach the server where they use another name than it sees; null: none
 */
export function ownOriginsOf(request: Request, publicOrigin: string | null): readonly string[] {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site !== undefined && site !== 'same-origin') return [];
  const own = [...new Set([publicOrigin, requestedOrigin(request)])].filter((each) => each !== null);
  if (origin !== undefined) return own.filter((each) => each === origin);
  // with a GET of the same origin browsers send no Origin
  return request.method === 'GET' || request.method === 'HEAD' ? own : [];
}
