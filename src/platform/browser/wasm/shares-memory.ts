/**
 * Whether threads of this page can share memory. Isolation alone does not say so: WebKitGTK, and Playwright's WebKit, are isolated by
 * the headers and have no SharedArrayBuffer (WebKit bug 268068); a shared WebAssembly.Memory cannot be posted there.
 */
export const sharesMemory = (): boolean =>
  globalThis.crossOriginIsolated && typeof globalThis.SharedArrayBuffer === 'function';
