import { extname } from 'node:path';
import type { Plugin } from 'vite';
import { docsSite } from './docs-site.ts';

const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
};

/** Puts the documentation beside the built page, below `docs/`; the dev server makes it anew for every request. */
export function docsPlugin(): Plugin {
  return {
    name: 'docs',
    async generateBundle() {
      for (const [path, source] of await docsSite()) this.emitFile({ type: 'asset', fileName: `docs/${path}`, source });
    },
    configureServer({ middlewares }) {
      middlewares.use('/docs/', (request, response, next) => {
        const path = decodeURIComponent(new URL(request.url ?? '/', 'http://host').pathname).slice(1) || 'index.html';
        const answer = (site: Awaited<ReturnType<typeof docsSite>>): void => {
          const file = site.get(path);
          if (file === undefined) return next();
          response.setHeader('Content-Type', mediaTypes[extname(path)] ?? 'application/octet-stream');
          response.end(file);
        };
        void docsSite().then(answer).catch(next);
      });
    },
  };
}
