import { describe, expect, it } from 'vitest';
import { folderOfFiles, gathered, listEntries, textOf } from '../../../../../tests/dataset-fixture.ts';
import { inPixels, keyBox, trackedFrames, walk } from '../../../../../tests/tracked-frames.ts';
import { DatasetReport } from '../../item/dataset-report.ts';
import { exportDataset } from '../../export-dataset.ts';
import { importDataset } from '../../import-dataset.ts';

const exported = (items: typeof walk) => listEntries(exportDataset('cvat-video', items, { datasetName: 'd' }));

describe('exporting CVAT for video', () => {
  it('writes each box of each track, and where a track ends', async () => {
    const listed = await exported(walk);
    expect(listed.map(({ path }) => path)).toEqual([
      ...[0, 1, 2, 3, 4].map((frame) => `walk/images/frame_00000${frame}.png`),
      'walk/annotations.xml',
    ]);
    expect(await textOf(listed, 'walk/annotations.xml')).toBe(`<?xml version="1.0" encoding="utf-8"?>
<annotations>
  <version>1.1</version>
  <meta>
    <task>
      <name>walk</name>
      <size>5</size>
      <mode>interpolation</mode>
      <start_frame>0</start_frame>
      <stop_frame>4</stop_frame>
      <labels>
        <label><name>cup</name><type>rectangle</type><attributes></attributes></label>
        <label><name>fork</name><type>rectangle</type><attributes></attributes></label>
        <label><name>plate &amp; "co"</name><type>rectangle</type><attributes></attributes></label>
      </labels>
      <original_size><width>100</width><height>50</height></original_size>
    </task>
  </meta>
  <track id="3" label="cup" source="manual">
    <box frame="0" keyframe="1" outside="0" occluded="0" xtl="10" ytl="10" xbr="20" ybr="20" z_order="0"></box>
    <box frame="1" keyframe="0" outside="0" occluded="0" xtl="20" ytl="11" xbr="31" ybr="20" z_order="0"></box>
    <box frame="2" keyframe="1" outside="0" occluded="0" xtl="30" ytl="12" xbr="42" ybr="20" z_order="0"></box>
    <box frame="3" keyframe="1" outside="1" occluded="0" xtl="30" ytl="12" xbr="42" ybr="20" z_order="0"></box>
    <box frame="4" keyframe="1" outside="0" occluded="0" xtl="60" ytl="0" xbr="70" ybr="10" z_order="0"></box>
  </track>
  <track id="1" label="plate &amp; &quot;co&quot;" source="manual">
    <box frame="1" keyframe="1" outside="0" occluded="0" xtl="50" ytl="5" xbr="90" ybr="45" z_order="0"></box>
    <box frame="2" keyframe="0" outside="0" occluded="0" xtl="50" ytl="5" xbr="90" ybr="45" z_order="0"></box>
    <box frame="3" keyframe="0" outside="0" occluded="0" xtl="50" ytl="5" xbr="90" ybr="45" z_order="0"></box>
    <box frame="4" keyframe="0" outside="0" occluded="0" xtl="50" ytl="5" xbr="90" ybr="45" z_order="0"></box>
  </track>
  <track id="4" label="fork" source="manual">
    <box frame="2" keyframe="1" outside="0" occluded="0" xtl="1" ytl="2" xbr="3.5" ybr="4" z_order="0"></box>
    <box frame="3" keyframe="1" outside="1" occluded="0" xtl="1" ytl="2" xbr="3.5" ybr="4" z_order="0"></box>
  </track>
</annotations>
`);
  });

  it('gives back what went out', async () => {
    const report = new DatasetReport();
    const back = await gathered(importDataset(await exported(walk), { report }));
    expect(inPixels(back)).toEqual(inPixels(walk));
    expect(back.map(({ sequence }) => sequence)).toEqual([0, 1, 2, 3, 4].map((at) => ({ name: 'walk', at })));
    expect([report.problems, report.lost]).toEqual([[], []]);
  });

  it('counts frames without gaps, where others are key frames, too: readers count so', async () => {
    const frames = trackedFrames('gap', [[keyBox('cup', [0, 0, 10, 10], 1)], [], [], [keyBox('cup', [30, 0, 40, 10], 1)]]); // prettier-ignore
    const back = await gathered(importDataset(await exported(frames.toSpliced(1, 1))));
    expect(inPixels(back)).toEqual([['cup 0,0,10,10 1!'], ['cup 20,0,30,10 1!'], ['cup 30,0,40,10 1!']]);
  });

  it('has a track for each label that a track has', async () => {
    const frames = trackedFrames('s', [[keyBox('cup', [0, 0, 10, 10], 1)], [keyBox('mug', [0, 0, 10, 10], 1)], []]);
    const back = await gathered(importDataset(await exported(frames)));
    expect(inPixels(back)).toEqual([['cup 0,0,10,10 -'], ['mug 0,0,10,10 2!'], ['mug 0,0,10,10 2']]);
  });

  it('has a folder for each sequence and split', async () => {
    const [a] = trackedFrames('a', [[]]);
    const split = { ...a!, split: 'val' as const };
    const listed = await exported([a!, split, { ...split, sequence: { name: 'A', at: 9 } }]);
    expect(listed.filter(({ path }) => path.endsWith('.xml')).map(({ path }) => path)).toEqual([
      'a/annotations.xml',
      'val/a/annotations.xml',
      'val/A-2/annotations.xml',
    ]);
  });
});

describe('importing CVAT for video', () => {
  const read = async (tracks: string, files: Parameters<typeof folderOfFiles>[0] = {}, meta = '') => {
    const report = new DatasetReport();
    const pictures = Object.fromEntries([0, 1, 2, 3].map((frame) => [`images/frame_00000${frame}.PNG`, null]));
    const xml = `<annotations><meta><job>${meta}<labels><label><name>car</name></label></labels></job></meta>${tracks}</annotations>`;
    const listed = folderOfFiles({ 'v/annotations.xml': xml, ...(Object.keys(files).length > 0 ? files : pictures) });
    const items = await gathered(importDataset(listed, { report }));
    const errors = report.problems.map(({ message }) => message);
    return { items, boxes: inPixels(items), errors, lost: report.lost, report };
  };
  const box = (frame: number, x: number, more = 'keyframe="1" outside="0"') =>
    `<box frame="${frame}" ${more} occluded="0" xtl="${x}" ytl="0" xbr="${x + 10}" ybr="10"/>`;

  it('puts in the boxes of frames that are left out, as CVAT means them', async () => {
    const { boxes, report } = await read(`<track id="0" label="car">${box(0, 0)}${box(2, 20)}</track>`, {
      'v/images/frame_000000.png': null,
      'v/images/frame_000001.png': null,
      'v/images/frame_000002.png': null,
      'v/images/frame_000003.png': null,
    });
    expect(boxes).toEqual([['car 0,0,10,10 0!'], ['car 10,0,20,10 0'], ['car 20,0,30,10 0!'], ['car 20,0,30,10 0']]);
    expect(report.classes.map(({ label }) => label)).toEqual(['car']);
  });

  it('ends a track before a box that is outside, and does not move towards it', async () => {
    const pictures = { 'v/frame_0.png': null, 'v/frame_1.png': null, 'v/frame_2.png': null, 'v/frame_3.png': null };
    const away = box(2, 60, 'keyframe="1" outside="1"');
    const { boxes } = await read(`<track id="5" label="car">${box(0, 0)}${away}${box(3, 7)}</track>`, pictures);
    expect(boxes).toEqual([['car 0,0,10,10 5!'], ['car 0,0,10,10 5!.'], [], ['car 7,0,17,10 5!']]);
  });

  it('says of attributes that they are lost only where the box stands for something', async () => {
    const occluded = (frame: number, outside: 0 | 1) =>
      box(frame, 1, `keyframe="1" outside="${outside}"`).replace('occluded="0"', 'occluded="1"');
    const pictures = { 'v/frame_0.png': null, 'v/frame_1.png': null };
    const { lost } = await read(`<track id="0" label="car">${occluded(0, 0)}${occluded(1, 1)}</track>`, pictures);
    expect(lost).toEqual([{ kind: 'attributes', count: 1 }]);
  });

  it('counts pictures without numbers from the first frame of the job', async () => {
    const pictures = { 'v/b.png': null, 'v/a.png': null };
    const { items, boxes } = await read(`<track id="1" label="car">${box(7, 3)}${box(8, 4)}</track>`, pictures, '<start_frame>7</start_frame><name>walk</name>'); // prettier-ignore
    expect(items.map(({ fileName, sequence }) => [fileName, sequence])).toEqual([
      ['a.png', { name: 'walk', at: 7 }],
      ['b.png', { name: 'walk', at: 8 }],
    ]);
    expect(boxes).toEqual([['car 3,0,13,10 1!'], ['car 4,0,14,10 1!']]);
  });

  it('gives ids of their own to tracks that have the same, and says what it cannot take', async () => {
    const pictures = { 'v/frame_0.png': null, 'v/frame_1.png': null };
    const { boxes, errors, lost } = await read(
      `<track id="1" label="car">${box(0, 3)}${box(1, 3)}${box(9, 3)}<polygon frame="0"/></track>
       <track id="1" label="car">${box(0, 30)}${box(1, 30, 'keyframe="0"')}<box frame="x"/></track><track id="2"/>`,
      pictures,
    );
    expect(boxes).toEqual([['car 3,0,13,10 1!', 'car 30,0,40,10 2!'], ['car 3,0,13,10 1!', 'car 30,0,40,10 2']].map((on) => on.toSorted())); // prettier-ignore
    expect(errors).toEqual([
      'A box of track 2 is on no frame, but on “x”.',
      'There is no picture of frame 9; a box on it is left out.',
    ]);
    expect(lost).toEqual([{ kind: 'polygons', count: 1 }]);
  });

  it('says of tracks without pictures what to do', async () => {
    const listed = folderOfFiles({
      'a.xml': `<annotations><track id="0" label="cup">${box(0, 1)}</track></annotations>`,
    });
    await expect(gathered(importDataset(listed))).rejects.toThrow(/1 tracks of a video, and no pictures.*Save images/);
  });
});
