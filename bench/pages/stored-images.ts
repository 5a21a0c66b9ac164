import { localHome } from '../../src/data-service/access/local-home.ts';
import type { BinaryRecord } from '../../src/data-service/ports/stored-captures.ts';
import type { StoredBlob } from '../../src/data-service/ports/blob-store.ts';
import { idbDataStore } from '../../src/platform/browser/indexed-db/data-store/idb-data-store.ts';
import type { StoredImagesPage } from './stored-images-page.ts';

const pictures = 24;
const batchRows = 5_000;

/** Stores images with times a second apart directly in the store, which takes seconds instead of a day of uploads. */
async function fillImages(count: number): Promise<void> {
  const clock = { now: () => Date.now() * 1000 };
  const store = idbDataStore(clock);
  const blobs = await Promise.all(
    Array.from({ length: pictures }, async (_, index) => {
      const bytes = await picture(index);
      return store.blobs.put(once(bytes), new AbortController().signal);
    }),
  );
  for (let first = 0; first < count; first += batchRows) {
    const records = Array.from({ length: Math.min(batchRows, count - first) }, (_, at) =>
      recordAt(first + at, blobs[(first + at) % pictures]!),
    );
    const uploadId = `bench-${first}`;
    const { organizationId } = localHome;
    const receipt = { organizationId, uploadId, fromClient: false, fileId: uploadId, binaryDataId: '', timeSynced: 0 };
    await store.binary.insert(records, receipt);
  }
  await store.close();
}

/** A picture of 640×480 with noise, so that decoding takes as long as for a photograph. */
async function picture(index: number): Promise<Uint8Array> {
  const canvas = new OffscreenCanvas(640, 480);
  const drawn = canvas.getContext('2d')!;
  for (let row = 0; row < 480; row += 8) {
    for (let column = 0; column < 640; column += 8) {
      drawn.fillStyle = `hsl(${index * 15 + column / 8} ${40 + (row % 50)}% ${30 + ((row * column) % 40)}%)`;
      drawn.fillRect(column, row, 8, 8);
    }
  }
  const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.8 });
  return new Uint8Array(await blob.arrayBuffer());
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield bytes;
}

function recordAt(index: number, { address, sha256, sizeBytes }: StoredBlob): BinaryRecord {
  const { organizationId, locationId, partId } = localHome;
  const fileId = `bench-${String(index).padStart(8, '0')}`;
  const time = 1_700_000_000_000_000 + index * 1_000_000;
  return {
    id: `${organizationId}/${locationId}/${fileId}`,
    organizationId,
    locationId,
    partId,
    fileId,
    sha256,
    sizeBytes,
    blobAddress: address,
    robotId: 'local',
    robotName: 'This browser',
    partName: 'main',
    methodParameters: {},
    internal: false,
    componentType: 'rdk:component:camera',
    componentName: `cam-${index % 3}`,
    methodName: 'ReadImage',
    fileName: `frame-${index}.jpg`,
    fileExtension: '.jpg',
    mimeType: 'image/jpeg',
    timeRequested: time,
    timeReceived: time,
    timeSynced: time,
    tags: index % 3 === 0 ? ['dusk'] : [],
    boundingBoxes: [],
    classifications: [],
  };
}

async function scrollImages(pxPerFrame: number): ReturnType<StoredImagesPage['scrollImages']> {
  const view = document.querySelector<HTMLElement>('[role=listbox]')!;
  view.scrollTop = 0;
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const frames: number[] = [];
  let direction = 1;
  let before = await new Promise<number>(requestAnimationFrame);
  const endMs = before + 5_000;
  while (before < endMs) {
    view.scrollTop += pxPerFrame * direction;
    const bottom = view.scrollHeight - view.clientHeight;
    if (view.scrollTop <= 0) direction = 1;
    else if (view.scrollTop >= bottom) direction = -1;
    const now = await new Promise<number>(requestAnimationFrame);
    frames.push(now - before);
    before = now;
  }
  frames.sort((a, b) => a - b);
  return { longestMs: frames.at(-1)!, medianMs: frames[frames.length >> 1]! };
}

Object.assign(globalThis, { fillImages, scrollImages } satisfies StoredImagesPage);
