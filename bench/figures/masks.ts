import { decodeDetails, mostMasks } from '../../src/machine/vision/details/decode-details.ts';
import type { RawDetections } from '../../src/machine/vision/results/detections.ts';
import { randomSource } from '../../tests/random-frame.ts';
import { median, type Figure } from '../figure.ts';

const rounds = 7;
/** YOLOv8-seg's prototypes for 640×640 px. */
const [maps, side] = [32, 160];
const framePx = 640;

export const figure: Figure = {
  title: `outlines of ${mostMasks} masks of a frame of ${framePx} px, in Node`,
  measure({ note }) {
    const random = randomSource(7);
    const prototypes = waves(random);
    const weights = Float32Array.from({ length: mostMasks * maps }, () => random() * 2 - 1);
    const detections = boxesOf(random);
    const outputs = new Map([
      ['mask_weights', { dtype: 'float32' as const, shape: [1, mostMasks, maps], data: weights }],
      ['mask_prototypes', { dtype: 'float32' as const, shape: [1, maps, side, side], data: prototypes }],
    ]);
    const outlinesMs = timed(() => decodeDetails(outputs, detections)!.masks!.points.length);
    const bareMs = timed(() => wholeMasks(prototypes, weights)[0]!);
    note(`outlines ${outlinesMs.toFixed(1)} ms, whole masks without enlarging them ${bareMs.toFixed(1)} ms`);
    return Promise.resolve([
      { name: 'over the weighted sums of whole masks alone', value: outlinesMs / bareMs, unit: '×', atMost: 1 },
    ]);
  },
};

/** Smooth maps, as a network's are: masks have several rings each. */
function waves(random: () => number): Float32Array {
  return Float32Array.from(
    Array.from({ length: maps }, () => {
      const [x, y, phase] = [random() * 0.15 + 0.02, random() * 0.15 + 0.02, random() * 6];
      return Array.from({ length: side * side }, (_, k) => Math.sin(x * (k % side) + y * Math.floor(k / side) + phase));
    }).flat(),
  );
}

/** Boxes of 20 to 300 px a side. */
function boxesOf(random: () => number): RawDetections {
  const box = Array.from({ length: mostMasks }, () => {
    const [width, height] = [20 + random() * 280, 20 + random() * 280];
    const [x, y] = [random() * (framePx - width), random() * (framePx - height)];
    return [x, y, x + width, y + height].map(Math.round);
  });
  return {
    frameWidthPx: framePx,
    frameHeightPx: framePx,
    count: mostMasks,
    labels: ['thing'],
    labelIndex: new Uint32Array(mostMasks),
    score: new Float64Array(mostMasks).fill(0.5),
    box: Int32Array.from(box.flat()),
    boxSpace: 'proportional',
    droppedNaN: 0,
  };
}

/** What any decoder of such a model computes first: each mask at the size of the prototypes. */
function wholeMasks(prototypes: Float32Array, weights: Float32Array): Float32Array {
  const cells = side * side;
  const masks = new Float32Array(mostMasks * cells);
  for (let row = 0; row < mostMasks; row++)
    for (let map = 0; map < maps; map++) {
      const weight = weights[row * maps + map]!;
      for (let cell = 0; cell < cells; cell++) masks[row * cells + cell]! += weight * prototypes[map * cells + cell]!;
    }
  return masks;
}

function timed(work: () => number): number {
  const times = Array.from({ length: rounds }, () => {
    const startMs = performance.now();
    if (Number.isNaN(work())) throw new Error('The masks are not numbers.');
    return performance.now() - startMs;
  });
  return median(times.slice(1));
}
