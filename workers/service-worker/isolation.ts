const policies = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

/**
 * Whether isolation asks for headers with the answer: pages and the scripts that workers start with. Whatever else these
 * load from their own origin needs none, and is better handed on as it came: a browser keeps what it compiled of a script
 * or a WebAssembly module, but not of a response that was made anew.
 */
export function bearsIsolation({ mode, destination }: Pick<Request, 'mode' | 'destination'>): boolean {
  return mode === 'navigate' || destination === 'worker' || destination === 'sharedworker';
}

/**
 * The response with the headers that make its page cross-origin isolated, which threads need; for hosts that cannot send
 * them. The response itself where the host did.
 * Opaque and error responses are handed on: they cannot be read, let alone rebuilt.
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
