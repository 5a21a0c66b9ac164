import { build, preview } from 'vite';

// `npm start`: builds the page and opens it. What a bundler remarks is for those who run `npm run build`; who only wants to
// look reads how far it is, and the address.

const startMs = Date.now();
console.log('Building the page: half a minute or so …');
await import('./assets.ts');
await build({ configLoader: 'native', logLevel: 'error' }); // bundled, the configuration takes seconds to load
console.log(`Built in ${Math.round((Date.now() - startMs) / 1000)} s.`);
const server = await preview({ configLoader: 'native', logLevel: 'error', preview: { open: true } });
console.log(`\n  Sightglass is at ${server.resolvedUrls?.local[0]}\n  Ctrl + C ends it.\n`);
