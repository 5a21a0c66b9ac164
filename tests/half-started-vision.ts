/** The vision worker with an inference worker that never runs. It posts 'runs' once its own script has run. */
const Real = Worker;
self.Worker = class extends Real {
  constructor() {
    super(URL.createObjectURL(new Blob(['for (;;);'])));
  }
};
await import('../workers/vision/entry.ts');
await navigator.locks.request('granted after the one of the worker', () => undefined);
postMessage('runs');
