/**
 * What Viam's libraries for Python and Go dial to reach the service at `origin`: a host and a port, and whether they have
 * to be told that it is plain http. Without a port they take 443.
 */
export function dialAddress(origin: string): { readonly address: string; readonly isPlain: boolean } {
  const { host, port, protocol } = new URL(origin);
  const isPlain = protocol === 'http:';
  return { address: port === '' && isPlain ? `${host}:80` : host, isPlain };
}
