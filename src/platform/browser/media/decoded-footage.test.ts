import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { writeMp4 } from '../../../base/mp4/write-mp4.ts';
import type { FootagePlace } from '../../ports/footage-frames.ts';
import type { FootageReader, ReadFootageFrame } from '../../ports/footage-reader.ts';
import type { OpenVideo } from '../../ports/frame-source.ts';
import { decodedFootage } from './decoded-footage.ts';

afterEach(() => vi.unstubAllGlobals());

class StubFrame {
  readonly format = null;
  readonly colorSpace = { toJSON: () => ({}) };
  readonly visibleRect = { width: 1, height: 1 };
  readonly timestamp: number;
  constructor(timestamp: number) {
    this.timestamp = timestamp;
  }
  allocationSize = () => 4;
  copyTo = () => Promise.resolve([]);
  close = () => undefined;
}

const player = {
  onFrame: (listener: (frame: object) => void) => listener(new StubFrame(0)),
  play: () => Promise.reject(new Error('It does not play.')),
  close: () => undefined,
} as Partial<OpenVideo> as OpenVideo;
vi.mock('./video-file.ts', () => ({ createVideoPort: () => ({ open: async () => player }) }));
afterAll(() => void vi.resetModules()); // test files share modules

/** A decoder that ends at each damaged sample, as those of browsers do. How often it was begun is counted. */
function stubDecoder(isDamaged: (level: number, decoder: number) => boolean, name = 'EncodingError') {
  const begun = { count: 0 };
  class Decoder extends EventTarget {
    static isConfigSupported = async () => ({ supported: true });
    readonly #number = begun.count++;
    readonly decodeQueueSize = 0;
    state = 'configured';
    readonly #output: (frame: object) => void;
    readonly #error: (error: DOMException) => void;
    constructor({ output, error }: { output: (frame: object) => void; error: (error: DOMException) => void }) {
      super();
      this.#output = output;
      this.#error = error;
    }
    configure(): void {}
    decode({ timestamp, data }: { timestamp: number; data: Uint8Array }): void {
      if (this.state === 'closed') throw new DOMException('closed', 'InvalidStateError');
      if (!isDamaged(data[0]!, this.#number)) return this.#output(new StubFrame(timestamp));
      this.state = 'closed';
      this.#error(new DOMException('Decoding error.', name));
    }
    flush = () => Promise.resolve();
    close(): void {
      this.state = 'closed';
    }
  }
  vi.stubGlobal('VideoDecoder', Decoder);
  vi.stubGlobal('VideoFrame', StubFrame);
  vi.stubGlobal('EncodedVideoChunk', class { constructor(init: object) { Object.assign(this, init); } }); // prettier-ignore
  return begun;
}

/** Twelve frames, each fourth a key frame, whose samples hold their number. */
function film(): Blob {
  const samples = Array.from({ length: 12 }, (_, at) => ({ sizeBytes: 1, timeUs: 40_000 * at, isKey: at % 4 === 0 }));
  const { head, tail } = writeMp4({ codec: 'vp09.00.10.08', widthPx: 1, heightPx: 1 }, samples, 480_000);
  return new Blob([head, Uint8Array.from(samples.keys()), tail]);
}

const signal = new AbortController().signal;
async function all(footage: FootageReader, behind: FootagePlace | null): Promise<readonly ReadFootageFrame[]> {
  const frames: ReadFootageFrame[] = [];
  for await (const frame of footage.frames(behind, signal)) frames.push(frame);
  return frames;
}

async function indices(isDamaged: (level: number, decoder: number) => boolean, name?: string): Promise<number[]> {
  stubDecoder(isDamaged, name);
  const footage = await decodedFootage(film(), 'door.mp4', 'f');
  return (await all(footage, null)).map(({ index }) => index);
}

it('leaves out damaged frames up to the next key frame, and gives those before and behind them', async () => {
  expect(await indices((level) => level === 5)).toEqual([0, 1, 2, 3, 4, 8, 9, 10, 11]);
  expect(await indices((level) => level === 4 || level === 8)).toEqual([0, 1, 2, 3]);
});

it('gives no other frame in place of a damaged one', async () => {
  stubDecoder((level) => level === 5);
  const footage = await decodedFootage(film(), 'door.mp4', 'f');
  expect(await footage.frameAt({ index: 5, timeMs: 200 }, signal)).toBeNull();
  expect(await footage.frameAt({ index: 9, timeMs: 360 }, signal)).toMatchObject({ timestamp: 360_000 });
});

it('loses no frame where the browser takes the decoder away once, and says so where it has none', async () => {
  const all = Array.from({ length: 12 }, (_, at) => at);
  // The first decoder compares colours.
  expect(await indices((level, decoder) => level === 5 && decoder === 1, 'QuotaExceededError')).toEqual(all);
  await expect(indices((level) => level === 5, 'QuotaExceededError')).rejects.toThrow('could not be decoded');
});
