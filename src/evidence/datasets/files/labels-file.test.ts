import { expect, it } from 'vitest';
import { folderOfFiles } from '../../../../tests/dataset-fixture.ts';
import { readAll } from '../item/content.ts';
import { DatasetReport } from '../item/dataset-report.ts';
import { FileIndex } from './file-index.ts';
import { labelsFile, readLabelsFile } from './labels-file.ts';

it.each([
  [['dog', ' cat'], 'dog\n cat\n'],
  [['a\nb', 'dog', 'c\rd'], 'dog\n'],
  [['a\nb'], null],
  [[], null],
])('writes the classes %j as %j', async (labels, text) => {
  const entries = [...labelsFile(labels.map((label) => ({ label, id: null })))];
  const written = await Promise.all(
    entries.map(async ({ path, content }) => [path, new TextDecoder().decode(await readAll(content, 100))]),
  );
  expect(written).toEqual(text === null ? [] : [['labels.txt', text]]);
});

it.each([
  ['labels.txt', 'dog\n\n#1\n  \na:0,0,0::\n', ['dog', '#1', 'a:0,0,0::']],
  ['x/LabelMap.txt', '# label:color:parts:actions\ndog:1,2,3::\n\na:b:4,5,6:p:q\ncat', ['dog', 'a:b', 'cat']],
  ['label.txt', 'dog', []],
  ['my-labels.txt', 'dog', []],
])('reads %s', async (path, text, labels) => {
  const report = new DatasetReport();
  await readLabelsFile(FileIndex.of(folderOfFiles({ [path]: text }), report), report);
  expect(report.classes.map(({ label }) => label)).toEqual(labels);
});
