import { describe, expect, it } from 'vitest';
import { folderOfFiles, gathered, listEntries, textOf } from '../../../../../tests/dataset-fixture.ts';
import { inPixels, keyBox, trackedFrames, walk } from '../../../../../tests/tracked-frames.ts';
import { DatasetReport } from '../../item/dataset-report.ts';
import { exportDataset } from '../../export-dataset.ts';
import { importDataset } from '../../import-dataset.ts';

const exported = (items: typeof walk) => listEntries(exportDataset('mot', items, { datasetName: 'd' }));

describe('exporting MOT', () => {
  it('counts frames, edges and classes from 1, and says what a sequence is', async () => {
    const listed = await exported(walk);
    expect(listed.map(({ path }) => path)).toEqual([
      ...[1, 2, 3, 4, 5].map((frame) => `walk/img1/00000${frame}.png`),
      'walk/gt/gt.txt',
      'walk/gt/labels.txt',
      'walk/seqinfo.ini',
    ]);
    expect(await textOf(listed, 'walk/gt/gt.txt')).toBe(`1,3,11,11,10,10,1,1,1
2,1,51,6,40,40,1,3,1
2,3,21,12,11,9,1,1,1
3,3,31,13,12,8,1,1,1
3,4,2,3,2.5,2,1,2,1
3,1,51,6,40,40,1,3,1
4,1,51,6,40,40,1,3,1
5,3,61,1,10,10,1,1,1
5,1,51,6,40,40,1,3,1
`);
    expect(await textOf(listed, 'walk/gt/labels.txt')).toBe('cup\nfork\nplate & "co"\n');
    expect(await textOf(listed, 'walk/seqinfo.ini')).toBe(`[Sequence]
name=walk
imDir=img1
frameRate=10
seqLength=5
imWidth=100
imHeight=50
imExt=.png
`);
  });

  it('gives back what went out, with the key frames that are needed', async () => {
    const report = new DatasetReport();
    const back = await gathered(importDataset(await exported(walk), { report }));
    expect(inPixels(back)).toEqual(inPixels(walk));
    expect(back.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5].map((at) => ({ name: 'walk', at })));
    expect(report.problems).toEqual([]);
    expect(report.classes.map(({ label }) => label)).toEqual(['cup', 'fork', 'plate & "co"']);
  });

  it('takes 30 frames a second where no times tell, and a label of two lines as one', async () => {
    const [frame] = trackedFrames('s', [[keyBox('a\nb', [0, 0, 1, 1], 1)]]);
    const report = new DatasetReport();
    const listed = await listEntries(exportDataset('mot', [{ ...frame!, capturedAt: null }], { datasetName: 'd', report })); // prettier-ignore
    expect(await textOf(listed, 's/seqinfo.ini')).toContain('frameRate=30\n');
    expect(await textOf(listed, 's/gt/labels.txt')).toBe('a b\n');
    expect(report.problems.map(({ message }) => message)[0]).toBe(
      'The label "a\\nb" has several lines; they are one there.',
    );
  });
});

describe('importing MOT', () => {
  it('reads ground truth of the challenge: its classes, and without what does not count', async () => {
    const report = new DatasetReport();
    const listed = folderOfFiles({
      'train/M-02/gt/gt.txt': '1,1,11,11,10,10,1,1,1\n2,1,21,11,10,10,1,1,0.5\n2,7,1,1,5,5,0,8,1\n2,9,31,1,5,5,1,3,1\n',
      'train/M-02/seqinfo.ini': '[Sequence]\nname = M-02\nimDir=frames\n',
      'train/M-02/frames/000001.jpg': null,
      'train/M-02/frames/000002.jpg': null,
      'train/M-02/frames/000003.jpg': null,
    });
    const items = await gathered(importDataset(listed, { report }));
    expect(inPixels(items)).toEqual(
      [['Pedestrian 10,10,20,20 1!'], ['Car 30,0,35,5 -', 'Pedestrian 20,10,30,20 1!.'], []],
    ); // prettier-ignore
    expect(items.map(({ split, sequence }) => [split, sequence!.name])).toEqual(items.map(() => ['train', 'M-02']));
    expect(report.problems.map(({ message }) => message)).toEqual([
      '1 of its boxes do not count (7th column 0); left out.',
    ]);
  });

  it.each([
    ['1,1,1,1', 'The line is not frame, id, left, top, width and height: “1,1,1,1”.'],
    ['x', 'The line is not frame, id, left, top, width and height: “x”.'],
    ['9,1,1,1,5,5,1,1,1', 'There is no picture of frame 9.'],
    ['1,1,1,1,y,5,1,1,1', 'The box “Pedestrian” has no number as x max, but null.'],
  ])('says what is wrong with %s', async (line, message) => {
    const report = new DatasetReport();
    const files = folderOfFiles({ 'gt/gt.txt': `\n${line}\n`, 'img1/000001.png': null });
    expect(inPixels(await gathered(importDataset(files, { report })))).toEqual([[]]);
    expect(report.problems.map(({ message: said }) => said)).toEqual([message]);
  });

  it('says where the pictures are missing', async () => {
    const files = folderOfFiles({ 'x/gt/gt.txt': '1,1,1,1,5,5', 'x/other/1.png': null });
    await expect(gathered(importDataset(files))).rejects.toThrow('There are no pictures in “x/img1”.');
  });
});
