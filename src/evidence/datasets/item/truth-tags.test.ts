import { expect, it } from 'vitest';
import { isCrowdTag, isTruthTag, longestCrowdLabel, mostTruthTags, truthTags, withTruthTags } from './truth-tags.ts';

const boxOf = (label: string, [xMin, yMin, xMax, yMax]: readonly number[], areaPx?: number) => ({
  label,
  xMinNormalized: xMin!,
  yMinNormalized: yMin!,
  xMaxNormalized: xMax!,
  yMaxNormalized: yMax!,
  ...(areaPx !== undefined && { areaPx }),
});
const third = [1 / 3, 1e-9, 2 / 3, 1] as const;
const boxes = [boxOf('cup', third, 1024 / 7), boxOf('cup', [0, 0, 0.5, 0.5]), boxOf('mug', [0.1, 0, 0.5, 0.5], 0)];
const crowds = [boxOf('traffic light: 2, "x"\n', third, 1e21), boxOf('7', [0, 0, 1, 1])];
const bare = boxes.map(({ areaPx: _, ...box }) => box);

it('give areas and crowds back to the last bit, in whatever order they come', () => {
  const tags = truthTags({ boxes, crowds });
  expect(withTruthTags(bare, ['night', ...tags])).toEqual({ boxes, crowds });
  expect(withTruthTags(bare, ['night', ...tags.toReversed()])).toEqual({ boxes, crowds: crowds.toReversed() });
  expect(withTruthTags(bare, ['night'])).toEqual({ boxes: bare });
  expect(['night', 'sightglass:area:', ...tags].map(isTruthTag)).toEqual([false, false, true, true, true, true]);
  expect(tags.map(isCrowdTag)).toEqual([true, true, false, false]);
});

it('give no area to a box that was moved since', () => {
  const tags = truthTags({ boxes });
  const moved = { ...bare[0]!, xMaxNormalized: 2 / 3 + 1e-4 };
  expect(withTruthTags([moved], tags).boxes).toEqual([moved]);
});

it('fit where the data service keeps tags', () => {
  const number = 1 / 8_100_001;
  const place = [number, number, number, number];
  const [tag] = truthTags({ boxes: [], crowds: [boxOf('x'.repeat(longestCrowdLabel), place, -number)] });
  expect(tag!.length).toBeLessThanOrEqual(200);
  const many = Array.from({ length: 900 }, (_, at) => boxOf('cup', [0, 0, 1, (at + 1) / 900], at));
  expect(truthTags({ boxes: many }).length).toBe(mostTruthTags);
});
