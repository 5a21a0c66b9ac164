import { mount, unmount, type Component } from 'svelte';
import { afterEach, describe, expect, it } from 'vitest';
import '../../src/app/theme.css';
import { bitmapOf, FootagePictures } from '../../src/app/bench/footage/footage-pictures.ts';
import StillThumbnail from '../../src/app/bench/panels/sources/StillThumbnail.svelte';
import BlobPicture from '../../src/app/captures/BlobPicture.svelte';
import { PictureCache } from '../../src/app/data/annotate/saving/picture-cache.ts';
import ExamplePicture from '../../src/app/data/shared/work/ExamplePicture.svelte';
import FilePreview from '../../src/app/data/tabs/files/FilePreview.svelte';

import { asStored } from '../../src/app/kit/picture/stored-picture.ts';
import { createPictureIo } from '../../src/platform/browser/media/picture-io.ts';
import { toRgba8 } from '../../src/machine/vision/frame/frame-formats.ts';
import { createThumbnailClient } from '../../workers/thumbnails/client.ts';
import { ascii, tiff } from '../image-headers.ts';
import FirstPicturesWithColours from './fixtures/FirstPicturesWithColours.svelte';
import StoredUrlPicture from './fixtures/StoredUrlPicture.svelte';

const [widthPx, heightPx] = [48, 32];
/** The quarters of the picture: each orientation but 1 moves at least two of them. */
const quarters = ['#ff0000', '#00ff00', '#0000ff', '#ffffff'] as const;

async function picture(type: 'image/jpeg' | 'image/webp'): Promise<Uint8Array> {
  const canvas = new OffscreenCanvas(widthPx, heightPx);
  const context = canvas.getContext('2d')!;
  for (const [at, colour] of quarters.entries()) {
    context.fillStyle = colour;
    context.fillRect((at % 2) * 24, Math.floor(at / 2) * 16, 24, 16);
  }
  return new Uint8Array(await (await canvas.convertToBlob({ type, quality: 1 })).arrayBuffer());
}

async function jpeg(orientation: number): Promise<Blob> {
  const plain = await picture('image/jpeg');
  const exif = Uint8Array.from([...ascii('Exif'), 0, 0, ...tiff(orientation, orientation % 2 === 0)]);
  const segment = Uint8Array.of(0xff, 0xe1, 0, exif.length + 2, ...exif);
  return new Blob([plain.slice(0, 2), segment, plain.slice(2)] as BlobPart[], { type: 'image/jpeg' });
}

/** With a header of its own and the EXIF data behind the pixels (RFC 9649). */
async function webp(orientation: number): Promise<Blob> {
  const plain = await picture('image/webp');
  const body = tiff(orientation, true);
  const flags = 8;
  const header = [...ascii('VP8X'), 10, 0, 0, 0, flags, 0, 0, 0, widthPx - 1, 0, 0, heightPx - 1, 0, 0];
  const chunks = plain.slice(plain[12] === 0x56 && plain[15] === 0x58 ? 30 : 12);
  const all = [...header, ...chunks, ...ascii('EXIF'), body.length, 0, 0, 0, ...body];
  const size = all.length + 4;
  const riff = [...ascii('RIFF'), size & 255, (size >> 8) & 255, size >> 16, 0, ...ascii('WEBP'), ...all];
  return new Blob([Uint8Array.from(riff)], { type: 'image/webp' });
}

/** Size and quarters of what is shown, each quarter as the nearest of the four colours. */
function seenOf(image: CanvasImageSource, width: number, height: number) {
  const canvas = new OffscreenCanvas(widthPx, heightPx);
  const context = canvas.getContext('2d')!;
  context.drawImage(image, 0, 0, widthPx, heightPx);
  const at = (x: number, y: number) => {
    const sample = [...context.getImageData(x, y, 1, 1).data.slice(0, 3)];
    return `#${sample.map((value) => (value > 127 ? 'ff' : '00')).join('')}`;
  };
  return { isWide: width > height, colours: [at(12, 8), at(36, 8), at(12, 24), at(36, 24)] };
}
const stored = { isWide: true, colours: [...quarters] };
const ofBitmap = (bitmap: ImageBitmap) => seenOf(bitmap, bitmap.width, bitmap.height);

async function ofImage(image: HTMLImageElement) {
  await image.decode();
  return seenOf(image, image.naturalWidth, image.naturalHeight);
}

async function ofAddress(url: string) {
  const image = new Image();
  image.src = url;
  return ofImage(image);
}

let close: () => void = () => undefined;
afterEach(() => {
  close();
  close = () => undefined;
});

/** Mounts a component, and reads the picture in it once it has one. */
async function mounted(part: Component<never>, props: object) {
  document.body.replaceChildren();
  const shown = mount(part as Component<object>, { target: document.body, props });
  close = () => void unmount(shown);
  const image = () => document.querySelector('img');
  await expect.poll(() => image()?.naturalWidth ?? 0).toBeGreaterThan(0);
  return ofImage(image()!);
}

const startThumbnails = () =>
  new Worker(new URL('../../workers/thumbnails/entry.ts', import.meta.url), { type: 'module' });
const bytesOf = async (blob: Blob) => new Uint8Array(await blob.arrayBuffer());
/** The part of the data area's context that gives the content of a stored file. */
const contextOf = (blob: Blob) =>
  ({
    data: {
      binaryDataByIDs: async () => ({
        data: [{ binary: await bytesOf(blob), metadata: { captureMetadata: { mimeType: blob.type } } }],
      }),
    },
  }) as never;

/** Each place that shows or decodes a stored picture; scripts/walls/stored-pictures.test.ts finds new ones. */
const places: readonly (readonly [string, (blob: Blob) => Promise<ReturnType<typeof seenOf>>])[] = [
  [
    'frames of the bench',
    async (blob) => {
      const { samples, widthPx: width, heightPx: height } = toRgba8((await createPictureIo().read(blob)) as never);
      return ofBitmap(await createImageBitmap(new ImageData(samples as never, width, height)));
    },
  ],
  ['footage, large', async (blob) => ofBitmap(await bitmapOf(blob))],
  [
    'footage, small, as in its report',
    async (blob) => {
      const pictures = new FootagePictures({ frameAt: async () => blob } as never);
      return ofAddress(await pictures.thumbnail({ index: 0, timeMs: 0 }));
    },
  ],
  [
    'thumbnails of the data area',
    async (blob) => {
      const asked = { id: `${Math.random()}`, bytes: await bytesOf(blob), mimeType: blob.type };
      const [drawn] = await Promise.all(createThumbnailClient(startThumbnails).draw([asked]));
      return ofAddress(drawn as string);
    },
  ],
  [
    'the box editor',
    async (blob) => ofBitmap((await new PictureCache(async () => ({ blob, name: 'a' })).get('a')).bitmap),
  ],
  [
    'the film strip',
    (blob) => mounted(StillThumbnail, { still: { name: 'a', blob: async () => blob } as never, selected: false }),
  ],
  ['captures', (blob) => mounted(BlobPicture, { blob })],
  ['the evaluation', (blob) => mounted(StoredUrlPicture, { blob })],
  ['examples of a label', (blob) => mounted(ExamplePicture, { context: contextOf(blob), id: 'a' })],
  [
    'the preview of a file',
    (blob) => mounted(FilePreview, { context: contextOf(blob), id: 'a', name: 'a', kind: 'image' }),
  ],
  ['what else goes through it', async (blob) => ofAddress(URL.createObjectURL(await asStored(blob)))],
];

it('would be turned by the browser alone', async () => {
  expect(ofBitmap(await createImageBitmap(await jpeg(6)))).not.toEqual(stored);
  expect(ofBitmap(await createImageBitmap(await jpeg(2)))).not.toEqual(stored);
});

/** Two decoders see all orientations; the other places see what these or the browser decode. */
const decoders = ['frames of the bench', 'what else goes through it'];

describe.each(places)('%s', (name, show) => {
  it.each(decoders.includes(name) ? [1, 2, 3, 4, 5, 6, 7, 8] : [2, 6])(
    'is as stored with orientation %i',
    async (orientation) => {
      expect(await show(await jpeg(orientation))).toEqual(stored);
    },
  );

  it('is as stored for a WebP', async () => {
    expect(await show(await webp(6))).toEqual(stored);
  });
});

it.each([1, 2, 3, 4, 5, 6, 7, 8])(
  'the first pictures of an import have their boxes with orientation %i',
  async (orientation) => {
    const { uprightBox } = await import('../../src/evidence/datasets/image-size/upright-box.ts');
    const box = { label: 'a', xMinNormalized: 0, yMinNormalized: 0, xMaxNormalized: 0.5, yMaxNormalized: 0.25 };
    const bytes = await bytesOf(await jpeg(orientation));
    const engine = {
      items: async () => [{ fileName: 'a.jpg', boxes: [uprightBox(box, orientation as 1)] }],
      picture: async () => ({ bytes, mimeType: 'image/jpeg', orientation }),
    };
    const run = { opened: { number: 1 }, preview: null };
    expect(await mounted(FirstPicturesWithColours, { files: { engine } as never, run: run as never })).toEqual(stored);
    const rect = document.querySelector('rect')!;
    const drawn = ['x', 'y', 'width', 'height'].map((name) => Number(rect.getAttribute(name)));
    expect(drawn.map((value) => Math.round(1000 * value) / 1000)).toEqual([0, 0, 0.5, 0.25]);
  },
);
