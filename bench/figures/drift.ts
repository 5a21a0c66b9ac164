import { existsSync } from 'node:fs';
import { readCocoTruth } from '../../src/evidence/evaluation/coco/read-coco.ts';
import { binomialShare } from '../../src/evidence/evaluation/intervals/quantiles.ts';
import { wilsonInterval } from '../../src/evidence/evaluation/intervals/ratio-interval.ts';
import { shuffled } from '../../src/evidence/evaluation/intervals/seeded-numbers.ts';
import { greyCopy, type RgbaPixels } from '../../src/evidence/datasets/health/grey-copy.ts';
import { measuredSize, pictureStatistics } from '../../src/evidence/datasets/health/picture-statistics.ts';
import { compareFrames } from '../../src/evidence/drift/compare-frames.ts';
import type { FrameFeatures } from '../../src/evidence/drift/frame-features.ts';
import { toRgba8 } from '../../src/machine/vision/frame/frame-formats.ts';
import type { Figure } from '../figure.ts';
import { sharedPhotograph, sharedPicture } from '../shared-data.ts';

const halves = 200;
const shiftedHalves = 50;
const level = 0.05;

/** The photographs of one set, each with its features as they are, and under each change. */
interface Photograph {
  readonly plain: FrameFeatures;
  readonly changed: Readonly<Record<string, FrameFeatures>>;
}

export const figure: Figure = {
  title: `drift between random halves of one set of photographs, at a false discovery rate of ${level}`,
  limitMinutes: 15,
  async measure({ root, note, at }) {
    if (!existsSync(new URL('../shared/data/', `file://${root}`))) {
      note('skipped: the photographs of ../shared/data are not here');
      return [];
    }
    at('measuring photographs');
    const photographs = await measured();
    const alarms = (later: (one: Photograph) => FrameFeatures, trials: number): readonly (readonly string[])[] =>
      Array.from({ length: trials }, (_, trial) => {
        const order = Array.from(shuffled(photographs.length, trial + 1), (one) => photographs[one]!);
        const half = order.length / 2;
        const sides = { reference: order.slice(0, half).map(({ plain }) => plain), later: order.slice(half).map(later) };
        return compareFrames(sides, { level, seed: trial + 1 })
          .shifts.filter(({ isShift }) => isShift)
          .map(({ feature }) => feature);
      });
    at('comparing halves');
    const startedMs = performance.now();
    const falseAlarms = alarms(({ plain }) => plain, halves).filter((found) => found.length > 0).length;
    const { low, high } = wilsonInterval(falseAlarms / halves, halves);
    const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
    note(`${photographs.length} photographs; a comparison takes ${((performance.now() - startedMs) / halves).toFixed(0)} ms`);
    note(`false alarms: ${falseAlarms} of ${halves}, 95 % interval ${percent(low)} to ${percent(high)}`);
    const found = (['darker', 'blurred', 'label removed'] as const).map((change) => {
      at(change);
      const feature = { darker: 'brightness', blurred: 'sharpness', 'label removed': 'labels' }[change];
      const all = alarms(({ changed }) => changed[change]!, shiftedHalves);
      const share = all.filter((one) => one.includes(feature)).length / shiftedHalves;
      return { name: `${changeWords[change]}, found among ${photographs.length / 2}`, value: 100 * share, unit: '%' };
    });
    return [
      { name: `halves with an alarm`, value: (100 * falseAlarms) / halves, unit: '%' },
      // How likely as many alarms are if each has the stated chance: below 5 % the level is not held.
      { name: 'chance of as many at the level', value: 100 * (1 - binomialShare(falseAlarms - 1, halves, level)), unit: '%', atLeast: 5 },
      ...found,
    ];
  },
}; // prettier-ignore

const changeWords = {
  darker: 'half as bright',
  blurred: 'blurred by a box of 5 px at 256 px',
  'label removed': 'without boxes of the most frequent label',
};

async function measured(): Promise<readonly Photograph[]> {
  const truth = readCocoTruth(JSON.parse((await sharedPicture('coco/instances.json')).toString()));
  const { labels } = truth.space;
  const counts = labels.map(() => 0);
  for (const label of truth.truth.label) counts[label]!++;
  const frequent = labels[counts.indexOf(Math.max(...counts))]!;
  const photographs: Photograph[] = [];
  for (const [image, { fileName }] of truth.images.entries()) {
    const { widthPx, heightPx, samples } = toRgba8(await sharedPhotograph(`coco/${fileName}`));
    const pixels: RgbaPixels = { widthPx, heightPx, samples };
    const grey = greyCopy(pixels, measuredSize(pixels));
    const boxes = Array.from(truth.truth.label, (label, row) => ({ label: labels[label]!, row }))
      .filter(({ row }) => truth.truth.image[row] === image)
      .map(({ label, row }) => {
        const [, , wide, high] = truth.truth.box.subarray(4 * row, 4 * row + 4);
        return { label, area: (wide! * high!) / (widthPx * heightPx), score: null };
      });
    const plain: FrameFeatures = {
      id: fileName,
      name: fileName,
      group: '',
      statistics: pictureStatistics(grey),
      boxes,
    };
    const dark = { ...grey, samples: Float64Array.from(grey.samples, (value) => value / 2) };
    photographs.push({
      plain,
      changed: {
        darker: { ...plain, statistics: pictureStatistics(dark) },
        blurred: { ...plain, statistics: pictureStatistics(blurred(grey)) },
        'label removed': { ...plain, boxes: boxes.filter(({ label }) => label !== frequent) },
      },
    });
  }
  return photographs;
}

type Grey = ReturnType<typeof greyCopy>;

function blurred({ widthPx, heightPx, samples }: Grey): Grey {
  const out = new Float64Array(widthPx * heightPx);
  for (let y = 0; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x++) {
      let [sum, count] = [0, 0];
      for (let v = Math.max(0, y - 2); v <= Math.min(heightPx - 1, y + 2); v++) {
        for (let u = Math.max(0, x - 2); u <= Math.min(widthPx - 1, x + 2); u++, count++)
          sum += samples[v * widthPx + u]!;
      }
      out[y * widthPx + x] = sum / count;
    }
  }
  return { widthPx, heightPx, samples: out };
}
