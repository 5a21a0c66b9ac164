import { expect, it } from 'vitest';
import { plainLabel, type SchemeLabel } from './label-scheme.ts';
import { LabelSchemeError, readLabelScheme } from './read-label-scheme.ts';
import { writeLabelScheme, type SchemeFormat } from './write-label-scheme.ts';

const cup: SchemeLabel = {
  name: 'cup & "saucer"',
  color: '#1f77b4',
  description: 'With its <handle>, if it has one.',
  attributes: [{ name: 'material', values: ['glass', 'tin'] }],
  exampleBinaryDataId: 'a/lab/1',
};
const labels = [cup, plainLabel('hat')];

it.each<[SchemeFormat, readonly SchemeLabel[]]>([
  ['sightglass', labels],
  ['cvat', [{ ...cup, description: '', exampleBinaryDataId: '' }, plainLabel('hat')]],
  ['label-studio', [{ ...cup, attributes: [], exampleBinaryDataId: '' }, plainLabel('hat')]],
])('reads what it wrote as %s, as far as the format has it', (format, read) =>
  expect(readLabelScheme(writeLabelScheme(labels, format))).toEqual({ labels: read, pairs: [] }),
);

it('keeps what models call the labels in its own form alone, even without labels', () => {
  const pairs = [{ label: 'cup', modelLabel: 'mug' }];
  expect(readLabelScheme(writeLabelScheme([], 'sightglass', pairs))).toEqual({ labels: [], pairs });
  expect(readLabelScheme(writeLabelScheme(labels, 'sightglass', pairs))).toEqual({ labels, pairs });
  expect(readLabelScheme(writeLabelScheme(labels, 'cvat', pairs)).pairs).toEqual([]);
});

it('reads labels as CVAT exports them, and plain lists of names', () => {
  const fromCvat = [
    {
      name: 'car',
      id: 7,
      color: '#FF6037',
      type: 'any',
      attributes: [
        { id: 1, name: 'parked', input_type: 'checkbox', mutable: true, values: ['false'] },
        { name: 'empty', input_type: 'text', values: [''] },
      ],
    },
    { name: 'car', color: '#000000' },
  ];
  expect(readLabelScheme(JSON.stringify(fromCvat)).labels).toEqual([
    { ...plainLabel('car'), color: '#ff6037', attributes: [{ name: 'parked', values: ['false'] }] },
  ]);
  expect(readLabelScheme('["cup", "hat"]').labels).toEqual([plainLabel('cup'), plainLabel('hat')]);
  expect(readLabelScheme('cup\r\n\r\n hat \n').labels).toEqual([plainLabel('cup'), plainLabel('hat')]);
});

it.each([
  ['', 'No label'],
  ['{"names": []}', 'no list'],
  ['{"labels": [', 'not valid JSON'],
  ['{"labels": [], "pairs": 1}', 'not a list, but 1'],
  ['{"labels": [], "pairs": [{"label": "cup"}]}', 'Pair 1 is {"label":"cup"}'],
  ['{"labels": [], "pairs": [{"label": "cup", "modelLabel": " "}]}', 'each with a name'],
  ['{"labels": [{"color": "#000000"}, null]}', 'No label'],
  ['<View><Label value="a"', 'not valid XML'],
])('refuses %j', (text, words) => {
  expect(() => readLabelScheme(text)).toThrow(LabelSchemeError);
  expect(() => readLabelScheme(text)).toThrow(words);
});
