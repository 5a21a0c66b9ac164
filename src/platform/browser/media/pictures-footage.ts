import type { FootageReader } from '../../../ports/footage-reader.ts';
import type { StillFrame } from '../../../ports/frame-source.ts';
import { sha256 } from '../bytes/sha256.ts';

/** Pictures are a second apart, so that their number can be read from their time. */
const eachMs = 1000;

/** The pictures of a folder as footage. They are opened one by one. */
export async function picturesFootage(name: string, pictures: readonly StillFrame[]): Promise<FootageReader> {
  const sizes = await Promise.all([pictures[0], pictures.at(-1)].map(async (picture) => (await picture?.blob())?.size));
  const said = JSON.stringify([sizes, pictures.map((picture) => picture.name)]);
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
