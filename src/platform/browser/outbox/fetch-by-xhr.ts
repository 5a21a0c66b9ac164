import type { UploadProgress } from '../../../remote/outbox/outbox-entry.ts';

/**
 * A fetch that tells how much of the request is on its way, which only XMLHttpRequest knows (a service worker has none).
 * It takes bodies of bytes and reads the whole answer: what unary calls need.
 */
export function fetchByXhr(onProgress: (progress: UploadProgress) => void): typeof fetch {
  return (input, { method = 'GET', headers, body, signal } = {}) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      const stop = (): void => {
        request.abort();
        reject(signal?.reason as Error);
      };
      if (signal?.aborted) return stop();
      signal?.addEventListener('abort', stop, { once: true });
      request.open(method, input instanceof Request ? input.url : input);
      request.responseType = 'arraybuffer';
      new Headers(headers).forEach((value, name) => request.setRequestHeader(name, value));
      request.upload.onprogress = ({ loaded, total }) => onProgress({ sentBytes: loaded, totalBytes: total });
      request.onloadend = () => {
        signal?.removeEventListener('abort', stop);
        if (request.status === 0)
          reject(new TypeError('The connection failed.')); // fetch does the same
        else resolve(responseOf(request));
      };
      request.send(body as XMLHttpRequestBodyInit | null);
    });
}

function responseOf(request: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const line of request.getAllResponseHeaders().trim().split(/\r?\n/)) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  const hasNoBody = [204, 205, 304].includes(request.status);
  const body = hasNoBody ? null : (request.response as ArrayBuffer);
  return new Response(body, { status: request.status, statusText: request.statusText, headers });
}
