const policies = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };

/**
 * Whether a response needs the isolation headers: pages and the scripts that start workers. Other files from the
 * same origin need none and are better passed on unchanged: a browser caches the compiled code of a script or a
 * WebAssembly module, but not that of a response that was rebuilt.
 */
export function bearsIsolation({ mode, destination }: Pick<Request, 'mode' | 'destination'>): boolean {
  return mode === 'navigate' || destination === 'worker' || destination === 'sharedworker';
}

/**
 * Adds the headers that make a page cross-origin isolated, which threads need; for hosts that cannot send them.
 * Returns the response itself if the host sent them. Opaque and error responses are returned unchanged: they cannot
 * be read or rebuilt.
 */
export function withIsolation(response: Response): Response {
  if (Object.entries(policies).every(([name, policy]) => response.headers.get(name) === policy)) return response;
  if (response.status === 0 || response.type === 'opaque' || response.type === 'opaqueredirect') return response;
  const headers = new Headers(response.headers);
  for (const [name, policy] of Object.entries(policies)) headers.set(name, policy);
  headers.set('Cross-Origin-Resource-Policy', 'same-origin');
  const hasNoBody = response.status === 204 || response.status === 205 || response.status === 304;
  const { status, statusText } = response;
  return new Response(hasNoBody ? null : response.body, { status, statusText, headers });
}
