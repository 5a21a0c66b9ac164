import { glob, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { decodeJpeg } from '../../src/platform/decode/jpeg.ts';
import { median, medianRatio, type Figure } from '../figure.ts';

const rounds = 7;

/** The part of jpeg-js that is used. */
interface JpegJs {
  decode(bytes: Uint8Array, options: { useTArray: true; colorTransform: false; maxMemoryUsageInMB: number }): unknown;
}

export const figure: Figure = {
  title: 'JPEG to planes, the sample photographs, in Node',
  async measure({ root }) {
    const jpegJs = createRequire(`${root}bench/peers/package.json`)('jpeg-js') as JpegJs;
    const files: Uint8Array[] = [];
    for await (const path of glob(`${root}assets/photographs/*.jpg`)) files.push(await readFile(path));
    const own: number[] = [];
    const peer: number[] = [];
    for (let round = -1; round < rounds; round++) {
      const ownMs = timed(() => files.forEach((bytes) => decodeJpeg(bytes)));
      const options = { useTArray: true, colorTransform: false, maxMemoryUsageInMB: 2048 } as const;
      const peerMs = timed(() => files.forEach((bytes) => jpegJs.decode(bytes, options)));
      if (round < 0) continue; // warm-up: the engine compiles both after their first runs
      own.push(ownMs);
      peer.push(peerMs);
    }
    return [
      { name: "Sightglass, the machine's exact samples", value: median(own), unit: 'ms' },
      { name: 'jpeg-js, without converting colours', value: median(peer), unit: 'ms' },
      { name: 'faster than jpeg-js', value: medianRatio(peer, own), unit: '×', atLeast: 2 },
    ];
  },
};

function timed(work: () => void): number {
  const startMs = performance.now();
  work();
  return performance.now() - startMs;
}
