// Runs before a page's own scripts: marks when its first box stands in a table.
new MutationObserver((_, observer) => {
  if (!document.querySelector('table tbody tr')) return;
  performance.mark('first box');
  observer.disconnect();
}).observe(document, { childList: true, subtree: true });

/** Whether the app's service worker answers this page, and has kept ONNX Runtime. */
async function keepsTheRuntime(): Promise<boolean> {
  const keys = await (await caches.open('sightglass-large')).keys();
  return navigator.serviceWorker.controller !== null && keys.some(({ url }) => url.includes('ort-wasm'));
}

Object.assign(globalThis, { keepsTheRuntime });
