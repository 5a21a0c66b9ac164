import { expect, it } from 'vitest';
import { createThumbnailClient } from '../../workers/thumbnails/client.ts';
import { PictureCache } from '../../src/app/data/annotate/saving/picture-cache.ts';
import { ascii, tiff } from '../image-headers.ts';
import { randomId } from '../../src/platform/browser/bytes/random-id.ts';

const startWorker = () => new Worker(new URL('../../workers/thumbnails/entry.ts', import.meta.url), { type: 'module' });

async function pictureOf(widthPx: number, heightPx: number, type: string): Promise<Uint8Array> {
  const canvas = new OffscreenCanvas(widthPx, heightPx);
  const drawn = canvas.getContext('2d')!;
  drawn.fillRect(0, 0, widthPx / 2, heightPx / 2); // the rest of a PNG is transparent
  return new Uint8Array(await (await canvas.convertToBlob({ type })).arrayBuffer());
}

/** Files as views of one buffer, like those of one answer from the network. */
function inOneBuffer(...files: readonly Uint8Array[]): Uint8Array<ArrayBuffer>[] {
  const whole = new Uint8Array(files.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  return files.map((bytes) => {
    whole.set(bytes, end);
    end += bytes.length;
    return whole.subarray(end - bytes.length, end);
  });
}

it('draws the files of one answer small, says which are none, and has them again on the next visit', async () => {
  const [jpeg, broken, png] = inOneBuffer(
    await pictureOf(640, 480, 'image/jpeg'),
    Uint8Array.of(1, 2, 3),
    await pictureOf(1000, 250, 'image/png'),
  );
  const ids = ['jpeg', 'broken', 'png'].map((name) => `${name}-${randomId()}`);
  const drawing = createThumbnailClient(startWorker).draw([
    { id: ids[0]!, bytes: jpeg!, mimeType: 'image/jpeg' },
    { id: ids[1]!, bytes: broken!, mimeType: 'image/jpeg' },
    { id: ids[2]!, bytes: png!, mimeType: 'image/png' },
  ]);
  expect(jpeg!.length, 'bytes that stayed with the page').toBe(0);
  const urls = await Promise.all(drawing);
  const sizes = await Promise.all(
    urls.map(async (url) => {
      if (typeof url !== 'string') return url;
      const image = new Image();
      image.src = url;
      await image.decode();
      return [url.slice(0, url.indexOf(';')), image.naturalWidth, image.naturalHeight];
    }),
  );
  expect(sizes).toEqual([
    ['data:image/jpeg', 320, 240],
    { reason: 'The file is not a picture.' },
    ['data:image/webp', 320, 80],
  ]);

  const nextVisit = createThumbnailClient(startWorker);
  await expect.poll(async () => (await nextVisit.find(ids)).size).toBe(2);
  expect(await nextVisit.find(ids)).toEqual(
    new Map([
      [ids[0], urls[0]],
      [ids[2], urls[2]],
    ]),
  );
});

it('has no picture for what was asked of a worker that died, and draws again in the next', async () => {
  const workers: Worker[] = [];
  const client = createThumbnailClient(() => {
    workers.push(startWorker());
    return workers.at(-1)!;
  });
  const [id, mimeType] = [`dead-${randomId()}`, 'image/jpeg'];
  const bytes = (await pictureOf(640, 480, mimeType)) as Uint8Array<ArrayBuffer>;
  const again = bytes.slice();
  expect(await client.find([id])).toEqual(new Map());
  const lost = client.draw([{ id, bytes, mimeType }]);
  workers[0]!.terminate();
  expect(await Promise.all(lost)).toEqual([{ reason: 'Drawing it stopped. Look at it once more.' }]);
  expect((await Promise.all(client.draw([{ id, bytes: again, mimeType }])))[0]).toMatch(/^data:image\/jpeg;/);
  expect(workers.length).toBe(2);
});

/** A picture of 64×32, and the same one with an EXIF orientation as its first segment. */
async function turnedPictures(): Promise<readonly [plain: Blob, turned: Blob]> {
  const plain = await pictureOf(64, 32, 'image/jpeg');
  const exif = Uint8Array.from([...ascii('Exif'), 0, 0, ...tiff(6, false)]);
  const turned = [plain.subarray(0, 2), Uint8Array.of(0xff, 0xe1, 0, exif.length + 2), exif, plain.subarray(2)];
  const blobOf = (parts: Uint8Array[]) => new Blob(parts as BlobPart[], { type: 'image/jpeg' });
  return [blobOf([plain]), blobOf(turned)];
}

it('draws a picture as it is stored, small and large, whatever its EXIF orientation', async () => {
  const [plain, turned] = await turnedPictures();
  const upright = await createImageBitmap(turned);
  expect([upright.width, upright.height], 'the orientation is a real one').toEqual([32, 64]);
  const pictures = await Promise.all(
    [plain, turned].map(async (blob, at) => ({
      id: `turned-${at}-${randomId()}`,
      bytes: new Uint8Array(await blob.arrayBuffer()),
      mimeType: blob.type,
    })),
  );
  const [small, alike] = await Promise.all(createThumbnailClient(startWorker).draw(pictures));
  expect(alike).toBe(small);
  const cache = new PictureCache(async () => ({ blob: turned, name: 'turned.jpg' }));
  const { bitmap } = await cache.get('turned');
  expect([bitmap.width, bitmap.height]).toEqual([64, 32]);
  cache.keep([]);
});
