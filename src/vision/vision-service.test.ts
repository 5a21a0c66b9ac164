import { describe, expect, it } from 'vitest';
import { fixedSession, imageInput } from '../../tests/fixed-session.ts';
import { visionServiceConfig } from '../../tests/machine-configs.ts';
import { buildVisionService, type VisionModel } from './vision-service.ts';

const session = fixedSession(imageInput([1, 4, 4, 3]), {});
const model = (rest: Partial<VisionModel> = {}): VisionModel => ({ session, labels: null, ...rest });

describe('buildVisionService refuses', () => {
  it.each([
    ['no model name', { mlModelName: '' }, 'bad-attribute', /mlmodel_name is empty/],
    [
      'a label_path whose content is not there',
      { labelPath: '/l.txt' },
      'label-path',
      /"\/l\.txt", which was not given/,
    ],
    ['a short mean', { meanValue: [1, 2] }, 'bad-attribute', /mean_value has 2 values/],
    ['a short deviation', { stdDev: [] }, 'bad-attribute', /std_dev has 0 values/],
    ['a deviation of 0, even among the extras', { stdDev: [1, 1, 1, 0] }, 'bad-attribute', /std_dev contains a 0/],
    [
      'the model name first',
      { mlModelName: '', labelPath: '/l.txt', meanValue: [], stdDev: [0] },
      'bad-attribute',
      /mlmodel_name/,
    ],
    ['then labels', { labelPath: '/l.txt', meanValue: [], stdDev: [0] }, 'label-path', /label_path/],
    ['then the mean', { meanValue: [], stdDev: [0] }, 'bad-attribute', /mean_value/],
    ['then the length of the deviation', { stdDev: [0] }, 'bad-attribute', /has 1 values/],
  ])('%s', (_, config, code, message) => {
    expect(() => buildVisionService(visionServiceConfig(config), model())).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    );
  });

  it.each([
    ['float16', imageInput([1, 3, 4, 4], 'float16'), 'unsupported-dtype'],
    ['three sizes', imageInput([3, 4, 4]), 'shape-mismatch'],
  ])('an input of %s', (_, input, code) => {
    expect(() => buildVisionService(visionServiceConfig(), model({ session: fixedSession(input, {}) }))).toThrow(
      expect.objectContaining({ code }),
    );
  });
});

describe('labels', () => {
  it.each([
    ['the content of label_path', { labelPath: '/l.txt' }, ['given'], ['given']],
    ['an empty file at label_path: index numbers', { labelPath: '/l.txt' }, [], null],
    ['the label file of the model service', {}, ['given'], ['given']],
    ['an empty one of it: index numbers', {}, [], null],
    ['none', {}, null, null],
  ])('%s', (_, config, labels, expected) => {
    expect(buildVisionService(visionServiceConfig(config), model({ labels })).labels).toEqual(expected);
  });
});

it.each([
  [
    [0, 1, 2, 3],
    [0, 1, 2, 3],
  ],
  [null, [1, 0, 3, 2]],
] as const)('box order: configuration %j → %j', (boxOrder, order) => {
  expect(buildVisionService(visionServiceConfig({ boxOrder }), model()).boxOrder).toEqual(order);
});
