import { describe, expect, it } from 'vitest';
import {
  namesAcross,
  pairFault,
  pairsInForce,
  pairsText,
  suggestPairs,
  truthNames,
  unpairedLabels,
} from './label-mapping.ts';
import type { LabelPair } from './label-scheme.ts';

const pair = (text: string): LabelPair => {
  const [label, modelLabel] = text.split('=') as [string, string];
  return { label, modelLabel };
};
const textOf = ({ label, modelLabel }: LabelPair): string => `${label}=${modelLabel}`;

describe('pairs that are offered', () => {
  it.each([
    ['dining table', 'diningtable'],
    ['couch', 'sofa'],
    ['sofa', 'couch'],
    ['airplane', 'aeroplane'],
    ['motorbike', 'motorcycle'],
    ['tvmonitor', 'tv'],
    ['TV', 'tv monitor'],
    ['television', 'tvmonitor'],
    ['Potted-Plant', 'pottedplant'],
    ['traffic_light', 'Traffic Light'],
    ['wine glasses', 'wine glass'],
    ['wine glass', 'Wine_Glasses'],
    ['cars', 'car'],
    ['berries', 'berry'],
    ['boxes', 'box'],
    ['bus', 'buses'],
    ['people', 'person'],
    ['café', 'cafe\u0301 '],
  ])('%s and %s differ in wording only', (label, modelLabel) =>
    expect(suggestPairs([label], ['zebra', modelLabel])).toEqual([{ label, modelLabel }]),
  );

  it.each([
    ['glass', 'glas'],
    ['bus', 'bu'],
    ['cat', 'cup'],
    ['mug', 'cup'],
    ['ties', 'toy'],
    ['0', '1'],
    ['???', '!!!'],
    ['', ' '],
    ['猫', '犬'],
  ])('%s and %s are two things', (label, modelLabel) => expect(suggestPairs([label], [modelLabel])).toEqual([]));

  it('are none for a label that the model has, in whatever case', () =>
    expect(suggestPairs(['Couch', 'tv'], ['couch', 'sofa', 'TV', 'tvmonitor'])).toEqual([]));

  it('prefer the name that is spelt the same, then the model’s first', () => {
    expect(suggestPairs(['dining-table'], ['dining tables', 'diningtable']).map(textOf)).toEqual([
      'dining-table=diningtable',
    ]);
    expect(suggestPairs(['settee'], ['sofa', 'couch']).map(textOf)).toEqual(['settee=sofa']);
  });

  it('may be two labels of the dataset for one of the model, each of them once', () =>
    expect(suggestPairs(['couch', 'settee', 'COUCH'], ['sofa']).map(textOf)).toEqual(['couch=sofa', 'settee=sofa']));
});

describe('pairs in force', () => {
  const kept = ['couch=settee', 'couch=sofa', 'tv=tvmonitor', 'tv=screen', 'cup=mug'].map(pair);
  it.each([
    [
      ['Sofa', 'tvmonitor', 'screen'],
      ['couch=sofa', 'tv=tvmonitor'],
    ],
    [['couch', 'cup', 'tv'], []],
    [['mug'], ['cup=mug']],
    [null, ['couch=settee', 'tv=tvmonitor', 'cup=mug']],
  ])('for a model with %j are %j', (labels, expected) =>
    expect(pairsInForce(kept, labels).map(textOf)).toEqual(expected),
  );

  it('leave out what is no pair, as a file may have it', () =>
    expect(pairsInForce(['=sofa', 'couch=', 'Cup=cup', 'couch=sofa'].map(pair), null).map(textOf)).toEqual([
      'couch=sofa',
    ]));
});

it('a label of the dataset counts as one of the model, and several may count as the same', () => {
  const others = [pair('couch=sofa')];
  expect(pairFault(pair('settee=sofa'), others)).toBe('');
  expect(pairFault(pair('COUCH=chair'), others)).toContain('“couch” counts as “sofa” already');
  expect(pairFault(pair(' =sofa'), others)).toContain('A name is empty');
  expect(pairFault(pair('settee= '), others)).toContain('A name is empty');
  expect(pairFault(pair('Sofa=sofa'), [])).toContain('compared without case');
});

it('names truth once, never by a second pair', () => {
  const nameOf = truthNames([pair('couch=sofa'), pair('sofa=bench'), pair('settee=sofa')]);
  expect(['Couch', 'sofa', 'settee', 'cup', ''].map(nameOf)).toEqual(['sofa', 'bench', 'sofa', 'cup', '']);
  expect(pairsText([pair('couch=sofa'), pair('tv=screen')])).toBe('“couch” counts as “sofa”, “tv” counts as “screen”');
});

it('names across two models by what the dataset says, there and back', () => {
  const [ours, theirs] = [
    ['couch=sofa', 'settee=sofa', 'tv=screen'],
    ['couch=divan', 'cup=mug'],
  ].map((texts) => texts.map(pair)) as [LabelPair[], LabelPair[]];
  const [there, back] = [namesAcross(ours, theirs), namesAcross(theirs, ours)];
  expect(['Sofa', 'screen', 'cup', 'dog'].map(there)).toEqual(['divan', 'tv', 'mug', 'dog']);
  expect(['divan', 'tv', 'mug', 'dog'].map(back)).toEqual(['sofa', 'screen', 'cup', 'dog']);
  expect(['couch', 'Sofa'].map(namesAcross([], ours))).toEqual(['sofa', 'Sofa']);
  expect(['SOFA'].map(namesAcross(ours, ours))).toEqual(['SOFA']);
});

it('are unpaired where the model lacks them, in whatever case, and no pair names them', () =>
  expect(unpairedLabels(['Couch', 'TV', 'Cup', 'hat'], [pair('couch=sofa')], ['sofa', 'cup', 'tv'])).toEqual(['hat']));
