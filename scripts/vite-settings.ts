import type { DepOptimizationOptions } from 'vite';

/** Cross-origin isolation gives WASM threads; hosts that cannot send these get them from the service worker. */
export const isolationHeaders = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

/**
 * What the worker imports is found only once it runs: listed here, so that the dev server does not reload under it.
 * ONNX Runtime finds its .wasm beside its own module, so that must stay where it is.
 */
export const optimizeDeps: DepOptimizationOptions = {
  exclude: ['onnxruntime-web'],
  include: [
    '@bufbuild/protobuf',
    '@bufbuild/protobuf/codegenv2',
    '@noble/hashes/sha2.js',
    'comlink',
    'fast-png',
    'fflate',
    'idb',
    'jpeg-js',
    'jsonc-parser',
    'opentype.js/dist/opentype.mjs',
  ],
};
