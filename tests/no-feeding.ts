import type { FeedingPorts } from '../src/app/evaluate/feeding-search/feeding-search.svelte.ts';

/** A bench whose model is fed, and of which nothing is measured. */
export const noFeeding: FeedingPorts = {
  bench: {
    key: '',
    written: '',
    now: async () => ({
      source: { kind: 'builtin', id: 'face-detector' },
      backend: 'wasm',
      service: {
        bgr: false,
        meanValue: [0, 0, 0],
        stdDev: [1, 1, 1],
        boxOrder: null,
        remapInputNames: {},
        remapOutputNames: {},
      },
      labels: null,
      modelName: 'm.onnx',
      stepsOf: '',
      key: '',
    }),
    write: async () => '',
    takeBack: () => undefined,
  },
  measure: () => Promise.reject(new Error('Nothing is measured here.')),
};
