/** The worker of the engine, whose own worker, the one of the runtime, never runs. It says when it runs itself. */
const Real = Worker;
self.Worker = class extends Real {
  constructor() {
    super(URL.createObjectURL(new Blob(['for (;;);'])));
  }
};
await import('../workers/vision/entry.ts');
await navigator.locks.request('granted after the one of the worker', () => undefined);
postMessage('runs');
