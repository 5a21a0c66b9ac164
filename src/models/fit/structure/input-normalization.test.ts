import { describe, expect, it } from 'vitest';
import { headModel } from '../../../../tests/fit/head-models.ts';
import type { GraphBuilder } from '../../onnx/edit-model.ts';
import { fitModel } from '../fit-model.ts';

type Beginning = (build: GraphBuilder, image: string) => string;

/** A classifier whose graph begins with some arithmetic on pixels. */
const classifierOf = (beginning: Beginning, dtype: 'float32' | 'uint8' = 'float32') =>
  headModel({ widthPx: 8, heightPx: 8, dtype }, (build, image) => {
    const pooled = build.add('GlobalAveragePool', [beginning(build, image)]);
    const flat = build.add('Reshape', [pooled, build.ints([2], [1, 3])]);
    build.output('probs', build.add('Softmax', [flat], { axis: { int: 1 } }), 'float32', [1, 3]);
  });

const chain =
  (...steps: readonly (readonly [operator: string, ...values: number[]])[]): Beginning =>
  (build, image) =>
    steps.reduce(
      (tensor, [operator, ...values]) =>
        build.add(
          operator,
          values.length === 0 ? [tensor] : [tensor, build.floats(values.length === 1 ? [] : [1, 3, 1, 1], values)],
        ),
      image,
    );

const bytes = Array(3).fill(1 / 255);
const units = [1, 1, 1];

describe('what a graph does to pixels itself', () => {
  it.each<[string, Beginning, number[]]>([
    ["Keras' Rescaling to −1..1", chain(['Mul', 1 / 127.5], ['Add', -1]), bytes],
    ['a division by 255', chain(['Div', 255]), bytes],
    ['bytes less their mean', chain(['Sub', 123.7, 116.3, 103.5]), bytes],
    ['bytes, normalised by channel', chain(['Sub', 123.7, 116.3, 103.5], ['Div', 58.4, 57.1, 57.4]), bytes],
    ['ImageNet of values from 0 to 1', chain(['Sub', 0.485, 0.456, 0.406], ['Div', 0.229, 0.224, 0.225]), units],
    ['0..1 made −1..1', chain(['Mul', 2], ['Sub', 1]), units],
    ['a division behind an identity', chain(['Identity'], ['Div', 255]), bytes],
    [
      'a batch normalization of bytes',
      (build, image) =>
        build.add('BatchNormalization', [
          image,
          ...[units, [0, 0, 0], [120, 116, 103], [3400, 3200, 3300]].map((values) => build.floats([3], values)),
        ]),
      bytes,
    ],
  ])('%s says what to feed it', (_, beginning, stdDev) => {
    const { preprocessing, feedingGuess, evidence } = fitModel(classifierOf(beginning));
    preprocessing.stdDev.forEach((value, at) => expect(value).toBeCloseTo(stdDev[at]!, 6));
    expect(preprocessing.mean).toEqual([0, 0, 0]);
    expect(feedingGuess).toBeNull();
    expect(evidence).toContainEqual(
      expect.stringMatching(/^The graph begins with .* normalizes pixels itself: it is to be fed values from 0 to/),
    );
  });

  it.each<[string, Beginning]>([
    ['nothing', (_, image) => image],
    ['a factor near one', chain(['Mul', 1.1])],
    ['a small offset', chain(['Add', 0.1])],
    ['an activation', (build, image) => build.add('Relu', [build.add('Relu', [image])])],
  ])('%s leaves a guess, which is called one', (_, beginning) => {
    const { preprocessing, feedingGuess, evidence } = fitModel(classifierOf(beginning));
    expect(preprocessing.mean).toEqual([0.485, 0.456, 0.406]);
    expect(feedingGuess).toMatch(/and a guess\.$/);
    expect(evidence.join(' ')).not.toMatch(/normalizes pixels itself/);
  });

  it('is not asked of a model that takes bytes: nothing is to be guessed there', () => {
    const { feedingGuess } = fitModel(
      classifierOf((build, image) => build.add('Cast', [image], { to: { int: 1 } }), 'uint8'),
    );
    expect(feedingGuess).toBeNull();
  });

  it('is no guess where a person says how it is fed', () => {
    const preprocessing = { mean: [0, 0, 0], stdDev: [1, 1, 1] } as const;
    expect(
      fitModel(
        classifierOf((_, image) => image),
        { preprocessing },
      ).feedingGuess,
    ).toBeNull();
  });
});
