import type { FootageReader } from '../../ports/footage-reader.ts';
import type { StillFrame } from '../../ports/frame-source.ts';
import { sha256 } from '../bytes/sha256.ts';

/** Pictures are a second apart, so that their number can be read from their time. */
const eachMs = 1000;

/** Bytes that are read of each picture: a folder has thousands. */
const signBytes = 4096;

/** Differs for pictures that differ in name, in size or in the middle. */
async function signOf({ name, blob }: StillFrame): Promise<readonly unknown[]> {
  try {
    const bytes = await blob();
    const from = Math.max(0, Math.floor((bytes.size - signBytes) / 2));
    const middle = await bytes.slice(from, from + signBytes).arrayBuffer();
    return [name, bytes.size, await sha256(new Uint8Array(middle))];
  } catch {
    return [name]; // the picture's frame says why it cannot be read
  }
}

/** The pictures of a folder as footage. They are opened one by one. */
export async function picturesFootage(name: string, pictures: readonly StillFrame[]): Promise<FootageReader> {
  const said = JSON.stringify(await Promise.all(pictures.map(signOf)));
  return {
    name,
    kind: 'pictures',
    fingerprint: await sha256(new TextEncoder().encode(said)),
    frameCount: pictures.length,
    durationMs: eachMs * pictures.length,
    whySlow: '',
    async *frames(behind, signal) {
      for (let index = behind ? behind.index + 1 : 0; index < pictures.length && !signal.aborted; index++) {
        const picture = pictures[index]!;
        yield { image: await picture.blob(), index, timeMs: eachMs * index, name: picture.name };
      }
    },
    frameAt: async ({ index }) => (await pictures[index]?.blob()) ?? null,
  };
}
