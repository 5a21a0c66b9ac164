import { asBytes, asBytesLessMean, asImageNet, asSigned, asUnits } from '../../../machine/vision/face/feeding.ts';
import type { InputInterpretation } from './interpretation.ts';
import type { BoxRows } from './box-rows.ts';
import { distinctRows } from './distinct-rows.ts';

/** An input's interpretation, with what it supposes. */
export interface ListedInput {
  readonly input: InputInterpretation;
  readonly why: string;
}

/** Each with what it makes of pixels. */
const ranges = [
  { name: 'values from −1 to 1', ...asSigned },
  { name: 'values from 0 to 1', ...asUnits },
  { name: 'values from 0 to 255', ...asBytes },
  { name: 'ImageNet mean and deviation', ...asImageNet },
  { name: 'bytes less the ImageNet mean', ...asBytesLessMean },
];

/**
 * Lists the ways to feed a model that are worth a try: the present one first, then a margin around the frame, then
 * each usual range with red and with blue first. Bytes have no range.
 * @param present how the model is fed now
 * @param dtype of the model's input
 * @returns interpretations of the input, each with its reason in words
 * @example
 * const present = { bgr: false, meanValue: [0, 0, 0], stdDev: [1, 1, 1], fit: 'stretch' };
 * listInputs(present, 'uint8').map(({ input }) => [input.fit, input.bgr]).slice(0, 2); // => [['stretch', false], ['letterbox', false]]
 */
export function listInputs(present: InputInterpretation, dtype: 'uint8' | 'float32'): readonly ListedInput[] {
  const listed: ListedInput[] = [
    { input: present, why: 'the input as configured' },
    { input: { ...present, fit: 'letterbox' }, why: 'frames keep their shape, with a margin' },
  ];
  const kept = { fit: present.fit } as const;
  const ways = dtype === 'uint8' ? [{ name: '', mean: present.meanValue, stdDev: present.stdDev }] : ranges;
  for (const { name, mean, stdDev: deviation } of ways) {
    for (const bgr of [false, true]) {
      // Mean and deviation belong to output channels: in BGR order the first is blue's.
      const [meanValue, stdDev] = bgr && name !== '' ? [mean.toReversed(), deviation.toReversed()] : [mean, deviation];
      const input = { ...kept, bgr, meanValue, stdDev };
      if (listed.some((other) => isSameInput(other.input, input))) continue;
      listed.push({
        input,
        why: [`colours are ${bgr ? 'BGR' : 'RGB'}`, name].filter((word) => word !== '').join(', '),
      });
    }
  }
  return listed;
}

type Range = Pick<InputInterpretation, 'meanValue' | 'stdDev'>;

/**
 * Whether two ranges feed a model the same numbers but for a hundredth: (v − 127) / 128 is as good as −1 to 1.
 * @param a mean and deviation of each channel, of values v / 255
 * @param b the other range
 * @returns true where no model tells them apart
 * @example
 * const halves = { meanValue: [0.5, 0.5, 0.5], stdDev: [0.5, 0.5, 0.5] };
 * isSameRange(halves, { meanValue: [0.498, 0.498, 0.498], stdDev: [0.502, 0.502, 0.502] }); // => true
 * isSameRange(halves, { meanValue: [0, 0, 0], stdDev: [1, 1, 1] }); // => false
 */
export function isSameRange(a: Range, b: Range): boolean {
  return [0, 1, 2].every((channel) => {
    const [std, other] = [a.stdDev[channel]!, b.stdDev[channel]!];
    return Math.abs(std - other) <= 0.01 * std && Math.abs(a.meanValue[channel]! - b.meanValue[channel]!) <= 0.01 * std;
  });
}

/**
 * Names what an input makes of pixel values, whatever the order of its colours.
 * @param range mean and deviation of each channel, of values v / 255
 * @param within how far they may lie from the usual ones
 * @returns words such as "values from 0 to 1"; '': no usual range
 * @example
 * rangeName({ meanValue: [0, 0, 0], stdDev: [1, 1, 1] }); // => 'values from 0 to 1'
 * rangeName({ meanValue: [0.1, 0, 0], stdDev: [1, 1, 1] }); // => ''
 */
export function rangeName({ meanValue, stdDev }: Range, within = 1e-6): string {
  const is = (a: readonly number[], b: readonly number[]) =>
    [0, 1, 2].every((channel) => Math.abs(a[channel]! - b[channel]!) < within);
  const found = ranges.find(
    ({ mean, stdDev: deviation }) =>
      (is(mean, meanValue) && is(deviation, stdDev)) ||
      (is(mean.toReversed(), meanValue) && is(deviation.toReversed(), stdDev)),
  );
  return found?.name ?? '';
}

function isSameInput(a: InputInterpretation, b: InputInterpretation): boolean {
  const same = (one: readonly number[], other: readonly number[]) =>
    [0, 1, 2].every((channel) => Math.fround(one[channel]!) === Math.fround(other[channel]!));
  return a.bgr === b.bgr && a.fit === b.fit && same(a.meanValue, b.meanValue) && same(a.stdDev, b.stdDev);
}

/**
 * Measures how sure a detector is of what it finds: a wrong input makes every score smaller.
 * @param rows boxes of a frame
 * @returns 0..1, the mean of the five best scores of distinct objects
 * @example
 * const rows = { count: 1, score: Float64Array.of(0.5), category: Float64Array.of(0), box: Float64Array.of(0, 0, 1, 1) };
 * strengthOf(rows); // => 0.1
 */
export function strengthOf(rows: BoxRows): number {
  const scores = distinctRows(rows, 0.02, 5).map((row) => Math.min(1, rows.score[row]!));
  return scores.reduce((sum, score) => sum + score, 0) / 5;
}
