import { describe, expect, it } from 'vitest';
import { headModel } from '../../../../../tests/fit/head-models.ts';
import { expectSameRows, rowsOf, runFitted } from '../../../../../tests/fit/run-fitted.ts';
import { randomSource } from '../../../../../tests/random-frame.ts';
import { fitModel } from '../../fit-model.ts';

const size = { widthPx: 96, heightPx: 64 };
const count = 12;

function randomRows(seed: number) {
  const random = randomSource(seed);
  const of = <T>(make: () => T): T[] => Array.from({ length: count }, make);
  return {
    boxes: of(() => [random() * 0.4, random() * 0.4, 0.5 + random() * 0.5, 0.5 + random() * 0.5].map(Math.fround)),
    classes: of(() => 1 + Math.floor(random() * 90)),
    scores: of(() => Math.fround(random())).toSorted((a, b) => b - a),
  };
}

function tfModel(
  { boxes, classes, scores }: ReturnType<typeof randomRows>,
  { suffix = '', prefix = 'detection', columns = 4 } = {},
) {
  return headModel(size, (build) => {
    const say = (name: string, shape: readonly number[], values: readonly number[]) =>
      build.output(name + suffix, build.floats(shape, values), 'float32', shape);
    say(`${prefix}_boxes`, [1, (count * 4) / columns, columns], boxes.flat());
    say(`${prefix}_scores`, [1, count], scores);
    say(`${prefix}_classes`, [1, count], classes);
    say('num_detections', [1], [count]);
    say('raw_detection_boxes', [1, 3, 4], boxes.slice(0, 3).flat());
  });
}

describe('TensorFlow detection API', () => {
  it.each(['', ':0'])('gives its rows, classes counted from 0, with names ending in "%s"', async (suffix) => {
    const { boxes, classes, scores } = randomRows(1);
    const { family, model } = fitModel(tfModel({ boxes, classes, scores }, { suffix }));
    expect(family.id).toBe('tf-detection');
    const wanted = boxes.map((box, row) => ({ box, category: classes[row]! - 1, score: scores[row]! }));
    expectSameRows(
      rowsOf(await runFitted(model)),
      wanted.filter(({ score }) => score > 0.01),
      size,
    );
  });

  it('hands over bytes', () => {
    const { configuration } = fitModel(tfModel(randomRows(2)));
    expect(JSON.stringify(configuration)).not.toMatch(/mean_value|bgr/);
  });

  it('leaves out the line that a list has for the number 0', () => {
    const namesOf = (labels: readonly string[]) => fitModel(tfModel(randomRows(4)), { labels }).labels;
    expect(namesOf(['???', 'person', 'bicycle'])).toEqual(['person', 'bicycle']);
    expect(namesOf(['person', 'bicycle'])).toEqual(['person', 'bicycle']);
  });

  it.each([
    ['other names', { prefix: 'found' }, /no outputs detection_boxes/],
    ['boxes of other columns', { columns: 6 }, /not \[1, N, 4\]/],
  ])('is not taken for it with %s', (_, variant, why) => {
    expect(() => fitModel(tfModel(randomRows(3), variant), { family: 'tf-detection' })).toThrow(why);
  });
});
