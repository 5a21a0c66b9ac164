import type { Connect, DepOptimizationOptions, Plugin } from 'vite';

/** Cross-origin isolation gives WASM threads; hosts that cannot send these get them from the service worker. */
export const isolationHeaders: Readonly<Record<string, string>> = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/**
 * Sends the isolation headers with every answer of the development and the preview server. Vite's own `headers` are missing from a 304, and
 * WebKit checks the embedder policy of a worker's script on that answer (WebKit bug 245346): the worker could not be started.
 */
export function isolationPlugin(): Plugin {
  const answer =
    (isBuilt: boolean): Connect.NextHandleFunction =>
    (request, response, next) => {
      for (const [name, value] of Object.entries(isolationHeaders)) response.setHeader(name, value);
      // The bundler puts a hash of the content into the names below assets/.
      const isHashed = request.url?.startsWith('/assets/');
      if (isBuilt) response.setHeader('Cache-Control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
      next();
    };
  return {
    name: 'isolation',
    configureServer: ({ middlewares }) => void middlewares.use(answer(false)),
    configurePreviewServer: ({ middlewares }) => void middlewares.use(answer(true)),
  };
}

/**
 * What the worker imports is found only once it runs: listed here, so that the dev server does not reload under it.
 * ONNX Runtime finds its .wasm beside its own module, so that must stay where it is.
 */
export const optimizeDeps: DepOptimizationOptions = {
  exclude: ['onnxruntime-web'],
  include: [
    '@bufbuild/protobuf',
    '@bufbuild/protobuf/codegenv2',
    '@bufbuild/protobuf/wkt',
    '@connectrpc/connect',
    '@connectrpc/connect/protocol',
    '@connectrpc/connect/protocol-connect',
    '@noble/hashes/hmac.js',
    '@noble/hashes/sha2.js',
    'bson',
    'comlink',
    'croner',
    'fast-png',
    'fflate',
    'idb',
    'jose',
    'jsonc-parser',
    'mingo/aggregator',
    'mingo/core',
    'mingo/lazy',
    'mingo/operators/accumulator',
    'mingo/operators/expression',
    'mingo/operators/pipeline',
    'mingo/operators/projection',
    'mingo/operators/query',
    'mingo/operators/window',
    'mingo/query',
    'mingo/util',
  ],
};

/** Workers are named after their folder, since the entry of each is `entry.ts`: so debuggers and journeys tell them apart. */
export function workerFileName({ facadeModuleId }: { facadeModuleId?: string | null }): string {
  const folder = facadeModuleId?.split('/').at(-2);
  return `assets/${folder ?? '[name]'}-[hash].js`;
}

/**
 * Puts what the entry of a worker shares with its later parts into a file of its own, so that no part imports the entry. WebKit would run the
 * entry a second time for that import, and two engines with a runtime each would answer the same calls. Vite itself asks for the opposite.
 */
export function workerEntriesPlugin(): Plugin {
  return { name: 'worker-entries', options: (given) => ({ ...given, preserveEntrySignatures: 'strict' as const }) };
}
