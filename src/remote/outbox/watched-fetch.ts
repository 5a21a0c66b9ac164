import { HttpRefusal, NoAnswer } from './read-failure.ts';

/**
 * A fetch with errors that Connect's codes do not distinguish: no response at all, and a response of something on
 * the way (a proxy's 413 or 429, a web server that does not know the path).
 */
export function watchedFetch(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    let response: Response;
    try {
      response = await fetch(input, init);
    } catch (error) {
      if (init?.signal?.aborted) throw error;
      throw new NoAnswer('the host is out of reach, closed the connection, or does not allow this page to call it.', {
        cause: error,
      });
    }
    if (response.ok || response.headers.has('grpc-status')) return response;
    throw new HttpRefusal(response.status, response.headers.get('retry-after'));
  };
}
