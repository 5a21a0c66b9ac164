/**
 * The response with the headers that make its page cross-origin isolated, which threads need; for hosts that cannot send
 * them. Opaque and error responses are handed on: they cannot be read, let alone rebuilt.
 */
export function withIsolation(response: Response): Response {
  if (response.status === 0 || response.type === 'opaque' || response.type === 'opaqueredirect') return response;
  const headers = new Headers(response.headers);
  headers.set('Cross-Origin-Opener-Policy', 'same-origin');
  headers.set('Cross-Origin-Embedder-Policy', 'require-corp');
  headers.set('Cross-Origin-Resource-Policy', 'same-origin');
  const hasNoBody = response.status === 204 || response.status === 205 || response.status === 304;
  const { status, statusText } = response;
  return new Response(hasNoBody ? null : response.body, { status, statusText, headers });
}
