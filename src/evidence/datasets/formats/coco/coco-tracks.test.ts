import { describe, expect, it } from 'vitest';
import { folderOfFiles, gathered, listEntries, textOf } from '../../../../../tests/dataset-fixture.ts';
import { inPixels, keyBox, trackedFrames, walk } from '../../../../../tests/tracked-frames.ts';
import { exportDataset } from '../../export-dataset.ts';
import { importDataset } from '../../import-dataset.ts';

interface CocoFile {
  readonly videos?: unknown;
  readonly images: readonly Readonly<Record<string, unknown>>[];
  readonly annotations: readonly Readonly<Record<string, unknown>>[];
}
const exported = (items: typeof walk) => listEntries(exportDataset('coco', items, { datasetName: 'd' }));
const jsonOf = async (listed: Awaited<ReturnType<typeof exported>>) =>
  JSON.parse(await textOf(listed, 'annotations/instances.json')) as CocoFile;

describe('tracks in COCO', () => {
  it('are `track_id` of annotations, on frames of videos', async () => {
    const { videos, images, annotations } = await jsonOf(await exported(walk));
    expect(videos).toEqual([{ id: 1, name: 'walk' }]);
    expect(images.map((image) => [image['video_id'], image['frame_id']])).toEqual([0, 1, 2, 3, 4].map((at) => [1, at]));
    expect(annotations.map((one) => [one['track_id'], one['keyframe'], one['bbox']])).toEqual([
      [3, true, [10, 10, 10, 10]],
      [1, true, [50, 5, 40, 40]],
      [3, false, [20, 11, 11, 9]],
      [3, true, [30, 12, 12, 8]],
      [undefined, undefined, [1, 2, 2.5, 2]],
      [1, false, [50, 5, 40, 40]],
      [1, false, [50, 5, 40, 40]],
      [3, true, [60, 0, 10, 10]],
      [1, false, [50, 5, 40, 40]],
    ]);
  });

  it('come back', async () => {
    const back = await gathered(importDataset(await exported(walk)));
    expect(inPixels(back)).toEqual(inPixels(walk));
    expect(back.map(({ sequence }) => sequence)).toEqual(walk.map(({ sequence }) => sequence));
  });

  it('have one id each in a file of several videos', async () => {
    const videos = ['a', 'b'].map((name) => trackedFrames(name, [[keyBox('cup', [0, 0, 1, 1], 1), keyBox('mug', [2, 2, 3, 3], 2)], []])); // prettier-ignore
    const { annotations } = await jsonOf(await exported(videos.flat()));
    expect(annotations.map((one) => one['track_id'])).toEqual([1, 2, 1, 2, 3, 4, 3, 4]);
  });

  it('are read of CVAT’s attributes, over all pictures of the file in order of their numbers', async () => {
    const frames = [10, 9, 11];
    const json = {
      images: frames.map((frame, id) => ({ id, file_name: `frame_${frame}.png`, width: 100, height: 50 })),
      categories: [{ id: 1, name: 'car' }],
      annotations: frames.map((frame, image_id) => ({
        id: image_id + 1,
        image_id,
        category_id: 1,
        bbox: [frame, 0, 10, 10],
        iscrowd: 0,
        attributes: { occluded: false, track_id: 4, keyframe: frame === 9 },
      })),
    };
    const files = folderOfFiles({
      'v/instances.json': JSON.stringify(json),
      'v/frame_9.png': null,
      'v/frame_10.png': null,
      'v/frame_11.png': null,
    });
    const items = await gathered(importDataset(files));
    expect(inPixels(items)).toEqual([['car 10,0,20,10 4!'], ['car 9,0,19,10 4!'], ['car 11,0,21,10 4!']]);
    expect(items.map(({ sequence }) => sequence)).toEqual(frames.map((at) => ({ name: 'v', at })));
  });
});
