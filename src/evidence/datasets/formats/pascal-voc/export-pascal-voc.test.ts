import { describe, expect, it } from 'vitest';
import { datasetItem, listEntries, textOf } from '../../../../../tests/dataset-fixture.ts';
import { exportDataset } from '../../export-dataset.ts';

describe('exporting Pascal VOC', () => {
  it('counts pixels from 1, the last one inside', async () => {
    const box = {
      label: 'a<b & "c"',
      xMinNormalized: 10 / 640,
      yMinNormalized: 0,
      xMaxNormalized: 20 / 640,
      yMaxNormalized: 1,
    };
    const listed = await listEntries(
      exportDataset('pascal-voc', [datasetItem({ fileName: 'a.png', boxes: [box], split: 'test' })], {
        datasetName: 'R&D',
      }),
    );
    expect(listed.map(({ path }) => path)).toEqual([
      'JPEGImages/a.png',
      'Annotations/a.xml',
      'ImageSets/Main/test.txt',
    ]);
    expect(await textOf(listed, 'ImageSets/Main/test.txt')).toBe('a\n');
    expect(await textOf(listed, 'Annotations/a.xml')).toBe(
      [
        '<annotation>',
        '  <folder>JPEGImages</folder>',
        '  <filename>a.png</filename>',
        '  <source><database>R&amp;D</database></source>',
        '  <size><width>640</width><height>480</height><depth>3</depth></size>',
        '  <segmented>0</segmented>',
        '  <object>',
        '    <name>a&lt;b &amp; "c"</name>',
        '    <pose>Unspecified</pose>',
        '    <truncated>0</truncated>',
        '    <difficult>0</difficult>',
        '    <bndbox><xmin>11</xmin><ymin>1</ymin><xmax>20</xmax><ymax>480</ymax></bndbox>',
        '  </object>',
        '</annotation>',
        '',
      ].join('\n'),
    );
  });
});

it.each([
  ['a\u0001b\u001fc', 'a\ufffdb\ufffdc'],
  ['a\ud800b\uffff', 'a\ufffdb\ufffd'],
  [' a\tb\n ', '&#32;a&#9;b&#10;&#32;'],
])('writes the label %j as XML 1.0 can hold it: %j', async (label, written) => {
  const corners = { xMinNormalized: 0, yMinNormalized: 0, xMaxNormalized: 1, yMaxNormalized: 1 };
  const item = datasetItem({ fileName: 'a.png', boxes: [{ label, ...corners }] });
  const listed = await listEntries(exportDataset('pascal-voc', [item], { datasetName: 'd' }));
  expect(await textOf(listed, 'Annotations/a.xml')).toContain(`<name>${written}</name>`);
});

describe('a box of less than a pixel', () => {
  it.each([
    [10.2, 10.6, 11, 11],
    [10.6, 11.4, 11.5, 11.5],
    [10.6, 10.8, 11.2, 11.2],
    [10, 11, 11, 11],
  ])('from edge %d to %d is written from %d to %d', async (from, to, first, last) => {
    const box = {
      label: 'a',
      xMinNormalized: from / 640,
      yMinNormalized: 0,
      xMaxNormalized: to / 640,
      yMaxNormalized: 1,
    };
    const item = datasetItem({ fileName: 'a.png', boxes: [box] });
    const listed = await listEntries(exportDataset('pascal-voc', [item], { datasetName: 'd' }));
    expect(await textOf(listed, 'Annotations/a.xml')).toContain(
      `<xmin>${first}</xmin><ymin>1</ymin><xmax>${last}</xmax>`,
    );
    expect(await textOf(listed, 'ImageSets/Main/trainval.txt')).toBe('a\n');
  });
});

it('writes a list a split, with its pictures', async () => {
  const items = ['a', 'b', 'c'].map((name, i) =>
    datasetItem({ fileName: `${name}.png`, split: i === 1 ? 'val' : 'train' }),
  );
  const listed = await listEntries(exportDataset('pascal-voc', items, { datasetName: 'd' }));
  expect(await textOf(listed, 'ImageSets/Main/train.txt')).toBe('a\nc\n');
  expect(await textOf(listed, 'ImageSets/Main/val.txt')).toBe('b\n');
});
