// Runs before a page's own scripts: marks the time when the first box is in the table.
new MutationObserver((_, observer) => {
  if (!document.querySelector('table tbody tr')) return;
  performance.mark('first box');
  observer.disconnect();
}).observe(document, { childList: true, subtree: true });

/** Whether the app's service worker controls this page and has cached ONNX Runtime. */
async function keepsTheRuntime(): Promise<boolean> {
  const keys = await (await caches.open('sightglass-large')).keys();
  return navigator.serviceWorker.controller !== null && keys.some(({ url }) => url.includes('ort-wasm'));
}

Object.assign(globalThis, { keepsTheRuntime });
