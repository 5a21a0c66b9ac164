import { asBytes, asBytesLessMean, asImageNet, asSigned, asUnits } from '../../vision/preprocess/normalizations.ts';
import type { InputInterpretation } from './interpretation.ts';
import type { BoxRows } from './box-rows.ts';
import { distinctRows } from './suppress.ts';

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
 * The inputs worth a try: the present one first, then that with a margin around the frame, then each range with red and with
 * blue first. Bytes have no range.
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

/** (v − 127) / 128 is −1 to 1 in other words: no model tells a hundredth from none. */
export function isSameRange(a: Range, b: Range): boolean {
  return [0, 1, 2].every((channel) => {
    const [std, other] = [a.stdDev[channel]!, b.stdDev[channel]!];
    return Math.abs(std - other) <= 0.01 * std && Math.abs(a.meanValue[channel]! - b.meanValue[channel]!) <= 0.01 * std;
  });
}

/** The name of what an input makes of pixels, whatever its colours' order: "values from 0 to 1"; '' = no usual one. */
export function rangeName({ meanValue, stdDev }: Range): string {
  const is = (a: readonly number[], b: readonly number[]) =>
    [0, 1, 2].every((channel) => Math.abs(a[channel]! - b[channel]!) < 1e-6);
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

/** How sure a detector is of what it sees, 0..1: a wrong input makes every score smaller. */
export function strengthOf(rows: BoxRows): number {
  const scores = distinctRows(rows, 0.02, 5).map((row) => Math.min(1, rows.score[row]!));
  return scores.reduce((sum, score) => sum + score, 0) / 5;
}
