/**
 * The domain for which browsers make passkeys at an origin (the relying party's id of WebAuthn).
 * @param origin of a server
 * @returns the domain; null: browsers make none there, since it has no name, or pages come to it unprotected
 * @example
 * passkeyDomain('https://data.example.com:8443'); // => 'data.example.com'
 * passkeyDomain('http://localhost:8080'); // => 'localhost'
 * passkeyDomain('http://data.example.com'); // => null
 * passkeyDomain('https://192.0.2.7'); // => null
 */
export function passkeyDomain(origin: string): string | null {
  const { protocol, hostname } = new URL(origin);
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  if (protocol !== 'https:' && !isLocal) return null;
  return /^\[|^[\d.]+$/.test(hostname) ? null : hostname;
}
