import { request } from 'node:http';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Sends a request with exactly these headers, which `fetch` would not do: also a `Host` of the sender's choice. */
export function rawRequest(
  origin: string,
  {
    path,
    method = 'GET',
    headers = {},
    body = '',
  }: {
    readonly path: string;
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string | string[]>>;
    readonly body?: string;
  },
): Promise<RawAnswer> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const length = { 'content-length': String(Buffer.byteLength(body)) };
    const sent = request({ hostname, port, path, method, headers: { ...length, ...headers } }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, body: text }));
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
