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
  expect(readLabelScheme(writeLabelScheme(labels, format))).toEqual(read),
);

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
  expect(readLabelScheme(JSON.stringify(fromCvat))).toEqual([
    { ...plainLabel('car'), color: '#ff6037', attributes: [{ name: 'parked', values: ['false'] }] },
  ]);
  expect(readLabelScheme('["cup", "hat"]')).toEqual([plainLabel('cup'), plainLabel('hat')]);
  expect(readLabelScheme('cup\r\n\r\n hat \n')).toEqual([plainLabel('cup'), plainLabel('hat')]);
});

it.each([
  ['', 'No label'],
  ['{"names": []}', 'no list'],
  ['{"labels": [', 'not valid JSON'],
  ['{"labels": [{"color": "#000000"}, null]}', 'No label'],
  ['<View><Label value="a"', 'not valid XML'],
])('refuses %j', (text, words) => {
  expect(() => readLabelScheme(text)).toThrow(LabelSchemeError);
  expect(() => readLabelScheme(text)).toThrow(words);
});
