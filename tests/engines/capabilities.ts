import type { EnginePage } from './engine-page.ts';

/** What the page would use of a browser, and what it does where that is lacking. In the order of the table in docs/browsers.md. */
export const secondWays = {
  'Isolated, with `SharedArrayBuffer`': 'runs models on one thread',
  'WebGPU (it needs a graphics card, too)': 'runs models on the CPU (WASM)',
  'Blobs in IndexedDB': 'keeps bytes',
  'Room for storage told (`navigator.storage`)': 'does not say how much room is left',
  'Private file system (OPFS)': 'keeps all in IndexedDB',
  'Web Locks': 'sends from one tab by a lease',
  'Background Sync': 'sends while it is open',
  'Opens and saves files in place': 'opens files by a field, and saves them as downloads',
  'Frames straight from a camera': 'takes them from a video element',
  'Video decoder': 'runs all of a video by playing it step by step',
  'Video encoder': 'saves a ZIP of pictures instead of a video',
  'Colours copied from video frames': 'draws frames to read their colours',
  'Video frames know how they are turned': 'draws turned frames upright',
  WebGL: 'draws no point clouds, and says so',
  'Pictures into the clipboard': 'saves the picture as a file',
} as const satisfies Readonly<Record<string, string>>;

export type Capability = keyof typeof secondWays;

/** Asks a page of ours what its browser has; a thing that only exists but does not work counts as lacking where that can be tried. */
export function capabilitiesOf(page: EnginePage): Promise<Readonly<Record<Capability, boolean>>> {
  return page.evaluate(async () => {
    const tried = async (run: () => boolean | Promise<boolean>): Promise<boolean> => {
      try {
        return await run();
      } catch {
        return false;
      }
    };
    const grey = () =>
      new VideoFrame(new Uint8Array(6).fill(128), { format: 'I420', codedWidth: 2, codedHeight: 2, timestamp: 0 });
    const keepsBlobs = async () => {
      const opening = indexedDB.open('try');
      opening.onupgradeneeded = () => opening.result.createObjectStore('blobs');
      await new Promise((resolve, reject) => ((opening.onsuccess = resolve), (opening.onerror = reject)));
      const database = opening.result;
      const writing = database.transaction('blobs', 'readwrite');
      const kept = await new Promise<boolean>((resolve) => {
        writing.oncomplete = () => resolve(true);
        writing.onabort = writing.onerror = () => resolve(false);
        writing.objectStore('blobs').put(new Blob(['x']), 1);
      });
      database.close();
      indexedDB.deleteDatabase('try');
      return kept;
    };
    return {
      'Isolated, with `SharedArrayBuffer`': crossOriginIsolated && typeof SharedArrayBuffer === 'function',
      'WebGPU (it needs a graphics card, too)': 'gpu' in navigator,
      'Blobs in IndexedDB': await tried(keepsBlobs),
      'Room for storage told (`navigator.storage`)': await tried(
        async () => (await navigator.storage.estimate()).quota !== undefined,
      ),
      'Private file system (OPFS)': await tried(async () => Boolean(await navigator.storage.getDirectory())),
      'Web Locks': 'locks' in navigator,
      'Background Sync': 'SyncManager' in window,
      'Opens and saves files in place': 'showOpenFilePicker' in window,
      'Frames straight from a camera': 'MediaStreamTrackProcessor' in window,
      'Video decoder': 'VideoDecoder' in window,
      'Video encoder': 'VideoEncoder' in window,
      'Colours copied from video frames': await tried(() => grey().allocationSize({ format: 'RGBA' }) === 16),
      'Video frames know how they are turned': 'rotation' in VideoFrame.prototype,
      WebGL: document.createElement('canvas').getContext('webgl2') !== null,
      'Pictures into the clipboard': 'write' in navigator.clipboard,
    };
  });
}
