import type { EntropyReader } from './entropy-reader.ts';
import { readRun, type BlockReading, type EndOfBand } from './first-pass.ts';
import { damaged } from './jpeg-error.ts';
import { zigZag } from './zig-zag.ts';

/**
 * Adds one bit to each of a block's coefficients that this scan refines (successive approximation, ITU-T T.81 G.1.2.3);
 * the bit's weight is the reading's factor.
 */
export function refineCoefficients(
  entropy: EntropyReader,
  { acTable, factors, first, last }: BlockReading,
  band: EndOfBand,
  block: Int32Array,
  at: number,
): void {
  const weight = factors[0]!;
  if (first === 0) {
    if (entropy.unsigned(1) === 1) block[at]! |= weight;
    return;
  }
  let place = first;
  for (; band.blocks === 0 && place <= last; place++) {
    const symbol = entropy.symbol(acTable);
    const zeros = symbol >> 4;
    const bits = symbol & 15;
    if (bits > 1)
      throw damaged(`The JPEG refines a coefficient by ${bits} bits; 1 can be. It is damaged: fetch it again.`);
    if (bits === 0 && zeros < 15) {
      band.blocks = readRun(entropy, zeros);
      break;
    }
    const fresh = bits === 0 ? 0 : entropy.unsigned(1) === 1 ? weight : -weight;
    place = refineUpTo(entropy, block, at, place, last, zeros, weight);
    if (place > last)
      throw damaged('The JPEG refines more coefficients than a block has. It is damaged: fetch it again.');
    if (fresh !== 0) block[at + zigZag[place]!] = fresh;
  }
  if (band.blocks > 0) {
    band.blocks--;
    refineUpTo(entropy, block, at, place, last, -1, weight);
  }
}

/**
 * Refines non-zero coefficients until `zeros` zeros were skipped (-1: to the end), and returns the position of the
 * zero after them.
 */
function refineUpTo(
  entropy: EntropyReader,
  block: Int32Array,
  at: number,
  from: number,
  last: number,
  zeros: number,
  weight: number,
): number {
  let zerosLeft = zeros;
  for (let place = from; place <= last; place++) {
    const i = at + zigZag[place]!;
    const value = block[i]!;
    if (value === 0) {
      if (zerosLeft === 0) return place;
      zerosLeft--;
    } else if (entropy.unsigned(1) === 1) {
      block[i] = value > 0 ? value + weight : value - weight;
    }
  }
  return last + 1;
}
