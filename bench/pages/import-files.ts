import { openDB } from 'idb';
import type { ImportPage } from './import-page.ts';

const differentPictures = 24;
const bareAtATime = 8;
let made = 0;

/** Pictures of 640×480 with noise, so that they are as large as photographs. A comment makes each file unique. */
async function pictures(count: number): Promise<File[]> {
  const drawn = await Promise.all(Array.from({ length: differentPictures }, (_, index) => jpeg(index)));
  return Array.from({ length: count }, () => {
    const comment = new TextEncoder().encode(`picture ${String(++made).padStart(8, '0')}`);
    const segment = new Uint8Array([0xff, 0xfe, 0, comment.length + 2, ...comment]);
    const whole = drawn[made % differentPictures]!;
    return new File([whole.subarray(0, 2), segment, whole.subarray(2)], `import-${made}.jpg`, { type: 'image/jpeg' });
  });
}

async function jpeg(index: number): Promise<Uint8Array<ArrayBuffer>> {
  const canvas = new OffscreenCanvas(640, 480);
  const context = canvas.getContext('2d')!;
  for (let row = 0; row < 480; row += 8) {
    for (let column = 0; column < 640; column += 8) {
      context.fillStyle = `hsl(${index * 15 + column / 8} ${40 + (row % 50)}% ${30 + ((row * column) % 40)}%)`;
      context.fillRect(column, row, 8, 8);
    }
  }
  const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.8 });
  return new Uint8Array(await blob.arrayBuffer());
}

const picker = (): HTMLInputElement =>
  document.querySelector<HTMLInputElement>('input[type=file][aria-label="Files to import"]')!;

async function pickPictures(count: number): Promise<void> {
  const picked = new DataTransfer();
  for (const file of await pictures(count)) picked.items.add(file);
  picker().files = picked.files;
}

async function importPicked(): ReturnType<ImportPage['importPicked']> {
  const count = picker().files!.length;
  const frames: number[] = [];
  const startMs = performance.now();
  picker().dispatchEvent(new Event('change', { bubbles: true }));
  for (let before = await nextFrame(); !isImported(count);) {
    const now = await nextFrame();
    frames.push(now - before);
    before = now;
  }
  const perSecond = (1000 * count) / (performance.now() - startMs);
  frames.sort((a, b) => a - b);
  return { perSecond, longestFrameMs: frames.at(-1)!, medianFrameMs: frames[frames.length >> 1]! };
}

const nextFrame = (): Promise<number> => new Promise(requestAnimationFrame);

const isImported = (count: number): boolean =>
  document
    .querySelector('section[aria-label="Import"] strong')
    ?.textContent.includes(`${count.toLocaleString('en')} stored`) ?? false;

async function putPictures(count: number): Promise<number> {
  const database = await openDB('bench-bare', 1, { upgrade: (upgraded) => void upgraded.createObjectStore('files') });
  const files = await pictures(count);
  const putRest = async (): Promise<void> => {
    for (let file = files.pop(); file; file = files.pop()) {
      const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()));
      const transaction = database.transaction('files', 'readwrite', { durability: 'strict' });
      await transaction.store.put(file, `${file.name} ${hash.join(' ')}`);
      await transaction.done;
    }
  };
  const startMs = performance.now();
  await Promise.all(Array.from({ length: bareAtATime }, putRest));
  const perSecond = (1000 * count) / (performance.now() - startMs);
  database.close();
  return perSecond;
}

Object.assign(globalThis, { pickPictures, importPicked, putPictures } satisfies ImportPage);
