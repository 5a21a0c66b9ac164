import { describe, expect, it } from 'vitest';
import { fixedSession, imageInput } from '../../../tests/fixed-session.ts';
import { visionServiceConfig } from '../../../tests/machine-configs.ts';
import type { MachineError } from './machine-error.ts';
import {
  buildVisionService,
  requireClassifier,
  requireDetector,
  requireSomeAbility,
  type ProbedService,
  type ServiceAbilities,
  type VisionModel,
} from './vision-service.ts';

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

it.each([
  [[0.5, 0.5, 0.5], [1, 1, 1]],
  [[1, 2, 3, 4], [1, 1, 1, 1]],
])('takes means of %j and deviations of %j', (meanValue, stdDev) => {
  expect(buildVisionService(visionServiceConfig({ meanValue, stdDev }), model()).config.meanValue).toBe(meanValue);
}); // prettier-ignore

describe('what a service must be able to do', () => {
  const not = (reason: string) => ({ able: false, names: null, tensors: [], warnings: [], reason, code: 'x' }) as const;
  const able = { ...not(''), able: true };
  const service = buildVisionService(visionServiceConfig({ name: 'eyes', mlModelName: 'm' }), model());
  const abilities = (detector: ServiceAbilities['detector'], classifier: ServiceAbilities['classifier']) => ({
    service,
    abilities: { detector, classifier },
  });
  const codeOf = (check: (probed: ProbedService) => void, probed: ProbedService) => {
    try {
      check(probed);
      return null;
    } catch (error) {
      return (error as MachineError).code;
    }
  };

  it.each([
    ['both', able, able, null, null, null],
    ['detecting', able, not('c'), null, null, 'not-a-classifier'],
    ['classifying', not('d'), able, null, 'not-a-detector', null],
    ['neither', not('d'), not('c'), 'no-ability', 'no-ability', 'no-ability'],
  ])('of %s', (_, detector, classifier, some, detect, classify) => {
    const probed = abilities(detector, classifier);
    expect(codeOf(requireSomeAbility, probed)).toBe(some);
    expect(codeOf(requireDetector, probed)).toBe(detect);
    expect(codeOf(requireClassifier, probed)).toBe(classify);
  });

  it('says a reason once where it is the same', () => {
    const begin =
      'Vision service "eyes" can neither detect nor classify with ML model "m" (the machine: "does not fulfill any method of the vision service"). ';
    expect(() => requireSomeAbility(abilities(not('No.'), not('No.')))).toThrow(
      expect.objectContaining({ message: `${begin}No.` }),
    );
    expect(() => requireSomeAbility(abilities(not('No.'), not('Nor.')))).toThrow(
      expect.objectContaining({ message: `${begin}As a classifier: Nor. As a detector: No.` }),
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
