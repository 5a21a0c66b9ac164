/**
 * Computes what Viam's libraries for Python and Go dial to reach the service: a host and a port, and whether they have
 * to be told that it is plain http. Without a port they take 443.
 * @param origin of the service: "https://data.example"
 * @returns the address, and whether it is plain http
 * @example
 * dialAddress('http://localhost:8080'); // => { address: 'localhost:8080', isPlain: true }
 * dialAddress('http://data.example'); // => { address: 'data.example:80', isPlain: true }
 * dialAddress('https://data.example'); // => { address: 'data.example', isPlain: false }
 */
export function dialAddress(origin: string): { readonly address: string; readonly isPlain: boolean } {
  const { host, port, protocol } = new URL(origin);
  const isPlain = protocol === 'http:';
  return { address: port === '' && isPlain ? `${host}:80` : host, isPlain };
}
