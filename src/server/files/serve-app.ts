import { existsSync } from 'node:fs';
import { join } from 'node:path';
import sirv from 'sirv';
import { contentSecurityPolicy } from '../http/content-security-policy.ts';
import { answerText, pathOf, type Handle } from '../http/exchange.ts';
import type { ServerResponse } from 'node:http';

/**
 * Cross-origin isolation gives the app's WebAssembly its threads. The policy stands in the page too, for plain hosts; only
 * a header says it to workers, and who may frame the page: nobody, since a click in a frame may be meant for another page.
 */
const appHeaders = {
  'Content-Security-Policy': `${contentSecurityPolicy}; frame-ancestors 'none'`,
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Permissions-Policy': 'camera=(self), microphone=(), geolocation=()',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
};

/** Serves the built app. Its files are listed once, at the start: nothing else of the disk can be asked for. */
export function serveApp(folder: string): Handle {
  if (!existsSync(join(folder, 'index.html'))) {
    return (_, response) =>
      answerText(response, 404, 'The app is not built here (npm run build); the data service is.');
  }
  const files = sirv(folder, { etag: true, dotfiles: false });
  return (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return answerText(response, 405, 'Files are read by GET.');
    // Before sirv, which sends its 304 without asking for headers: WebKit checks the embedder policy of a worker's script on that answer.
    for (const [name, value] of Object.entries(appHeaders)) response.setHeader(name, value);
    const isHashed = pathOf(request).startsWith('/assets/'); // the bundler puts a hash of the content into these names
    response.setHeader('Cache-Control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    // On a host that only serves files, this file says false: by it the page knows whether there is a data service to log in to.
    if (pathOf(request) === '/host.json')
      return answerText(response, 200, '{ "servesData": true }', 'application/json');
    // sirv speaks HTTP/2's compatible request and response too, which its types do not tell
    files(request as never, response as ServerResponse, () => answerText(response, 404, 'There is no such page.'));
  };
}
