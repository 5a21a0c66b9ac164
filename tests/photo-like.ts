import type { Frame } from '../src/machine/vision/frame/frame.ts';

/** 64 bits of a number, any two of which differ in about half, as hashes of photographs do (SplitMix64). */
export function photoHash(number: number): bigint {
  let state = BigInt.asUintN(64, BigInt(number + 1) * 0x9e3779b97f4a7c15n);
  state = BigInt.asUintN(64, (state ^ (state >> 30n)) * 0xbf58476d1ce4e5b9n);
  state = BigInt.asUintN(64, (state ^ (state >> 27n)) * 0x94d049bb133111ebn);
  return state ^ (state >> 31n);
}

/** A picture of 72×64 px whose difference hash is this: each row of cells rises and falls by its bits. */
export function frameOfHash(hash: bigint): Frame {
  const [widthPx, heightPx, sidePx] = [72, 64, 8];
  const samples = new Uint8ClampedArray(4 * widthPx * heightPx).fill(255);
  for (let row = 0; row < 8; row++) {
    let level = 128;
    for (let column = 0; column < 9; column++) {
      if (column > 0) level += (hash >> BigInt(63 - (8 * row + column - 1))) & 1n ? 12 : -12;
      for (let y = row * sidePx; y < (row + 1) * sidePx; y++)
        samples.fill(level, 4 * (y * widthPx + column * sidePx), 4 * (y * widthPx + (column + 1) * sidePx));
    }
  }
  for (let alpha = 3; alpha < samples.length; alpha += 4) samples[alpha] = 255;
  return { format: 'rgba8', widthPx, heightPx, samples };
}
