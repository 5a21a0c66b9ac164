import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { deferred } from '../../../../../tests/deferred.ts';
import { openDataTab, type TestTab } from '../../../../../tests/data-tab-fixture.ts';
import { uploadPicture } from '../../../../../tests/data-service-fixture.ts';
import { toTimestamp } from '../../../../data-service/wire/timestamps.ts';
import { UndrawnPictureError, type CachedPicture } from '../../annotate/saving/picture-cache.ts';
import { Clip } from './clip.svelte.ts';

const startUs = 1_800_000_000_000_000;
let tab: TestTab;
let ids: string[];
let sequenceId: string;
let waits: number[];
let kept: readonly string[];
/** what a picture is decoded to; absent: at once */
let decoding: Map<string, Promise<void>>;
let clip: Clip;

const pictureOf = (id: string): CachedPicture => ({ blob: new Blob(), name: id, bitmap: { of: id } as never });

beforeEach(async () => {
  tab = await openDataTab();
  [ids, waits, kept, decoding] = [[], [], [], new Map()];
  const { owner } = tab.service;
  for (const [index, offsetMs] of [0, 500, 60_500, 60_750].entries()) {
    const metadata = { componentName: 'front', methodName: 'GetImages' };
    const id = await uploadPicture(owner, metadata, startUs + offsetMs * 1000);
    const corners = { xMinNormalized: 0, yMinNormalized: 0, xMaxNormalized: 1, yMaxNormalized: 1 };
    await owner.data.addBoundingBoxToImageByID({ binaryDataId: id, label: `of ${index}`, ...corners });
    ids.push(id);
  }
  const back = { componentName: 'back', methodName: 'GetImages' };
  ids.push(await uploadPicture(owner, back, startUs + 600_000));
  const resources = ['front', 'back'].map((resourceName) => ({ resourceName, methodName: 'GetImages' }));
  const window = { startTime: toTimestamp(startUs), endTime: toTimestamp(startUs + 100_000_000) };
  sequenceId = (await owner.data.createSequence({ partId: 'lab-part', resources, ...window })).id;
  clip = new Clip(tab.context.data, {
    pictures: {
      async get(id) {
        await decoding.get(id);
        return pictureOf(id);
      },
      keep: (wanted) => (kept = wanted),
    },
    wait: async (ms, signal) => {
      waits.push(ms);
      signal.throwIfAborted();
    },
  });
});
afterEach(() => clip.close());

const shown = () => clip.shown && { id: clip.shown.frame.id, of: clip.shown.bitmap as unknown };
const labels = () => clip.shown?.frame.boxes.map(({ label }) => label);

describe('a clip', () => {
  it('has the images of one camera, and begins with the first', async () => {
    await clip.read(sequenceId, null);
    expect(clip.resources).toEqual(['front · GetImages', 'back · GetImages']);
    expect(clip.frames.map(({ id }) => id)).toEqual(ids.slice(0, 4));
    expect(shown()).toEqual({ id: ids[0], of: { of: ids[0] } });
    expect(labels()).toEqual(['of 0']);
    expect(kept.slice(0, 4)).toEqual(ids.slice(0, 4));
  });

  it('begins with the image that it is asked for, of whatever camera', async () => {
    await clip.read(sequenceId, ids[4]!);
    expect([clip.resource, shown()?.id, clip.frames.length]).toEqual(['back · GetImages', ids[4], 1]);
  });

  it('changes to the other camera at the same moment', async () => {
    await clip.read(sequenceId, null);
    await clip.go(1);
    await clip.choose('back · GetImages');
    expect(shown()?.id).toBe(ids[4]);
    await clip.choose('front · GetImages');
    expect(shown()?.id).toBe(ids[2]);
  });

  it('plays to its end in the rhythm of the captures, where no image stands longer than a second', async () => {
    await clip.read(sequenceId, null);
    clip.speed = 2;
    await clip.play();
    expect(waits).toEqual([250, 500, 125]);
    expect([clip.at, clip.isPlaying, shown()?.id]).toEqual([3, false, ids[3]]);
    await clip.play();
    expect(waits).toHaveLength(6);
  });

  it('stops where it is when it is paused', async () => {
    await clip.read(sequenceId, null);
    const slow = deferred();
    decoding.set(ids[1]!, slow.promise);
    const playing = clip.play();
    expect(clip.isPlaying).toBe(true);
    await Promise.resolve();
    clip.pause();
    slow.resolve();
    await playing;
    expect([clip.isPlaying, clip.at <= 1]).toEqual([false, true]);
  });

  it('keeps a picture with its own boxes until the next picture is decoded', async () => {
    await clip.read(sequenceId, null);
    const slow = deferred();
    decoding.set(ids[1]!, slow.promise);
    const going = clip.go(1);
    expect([shown()?.id, labels()]).toEqual([ids[0], ['of 0']]);
    expect(kept).toContain(ids[0]);
    slow.resolve();
    await going;
    expect([shown()?.id, labels()]).toEqual([ids[1], ['of 1']]);
  });

  it('shows the image that was asked for last, whichever is decoded first', async () => {
    await clip.read(sequenceId, null);
    const slow = deferred();
    decoding.set(ids[1]!, slow.promise);
    const first = clip.go(1);
    await clip.go(2);
    slow.resolve();
    await first;
    expect([shown()?.id, labels()]).toEqual([ids[2], ['of 2']]);
  });

  it('never shows a picture that was dropped before it was decoded', async () => {
    await clip.read(sequenceId, null);
    const slow = deferred();
    decoding.set(ids[0]!, slow.promise);
    await clip.go(3);
    const dropped = clip.go(0);
    await clip.go(3);
    decoding.delete(ids[0]!);
    await clip.go(0);
    const stood = clip.shown;
    slow.resolve();
    await dropped;
    expect(clip.shown).toBe(stood);
  });

  describe('of several pages', () => {
    let nextPage: ReturnType<typeof deferred<void>>;
    beforeEach(() => {
      nextPage = deferred();
      const all = tab.context.data.getSequenceBinaryData;
      vi.spyOn(tab.context.data, 'getSequenceBinaryData').mockImplementation(async (request, options) => {
        if (request.pageToken !== '') await nextPage.promise;
        return all({ ...request, pageSize: 2 }, options);
      });
    });

    it('shows its first image after the first, and leaves a person where he has gone meanwhile', async () => {
      const reading = clip.read(sequenceId, ids[3]!);
      await vi.waitFor(() => expect(shown()?.id).toBe(ids[0]));
      await clip.go(1);
      nextPage.resolve();
      await reading;
      expect([clip.frames.length, clip.at, shown()?.id]).toEqual([4, 1, ids[1]]);
    });

    it('goes to the image that it is asked for once that is read', async () => {
      const reading = clip.read(sequenceId, ids[3]!);
      await vi.waitFor(() => expect(shown()?.id).toBe(ids[0]));
      nextPage.resolve();
      await reading;
      expect([clip.at, shown()?.id]).toEqual([3, ids[3]]);
    });
  });

  it('says of which image it shows what it says, until the next is decoded', async () => {
    await clip.read(sequenceId, null);
    await clip.go(1);
    const slow = deferred();
    decoding.set(ids[3]!, slow.promise);
    decoding.set(ids[4]!, slow.promise);
    const going = clip.go(3);
    expect([clip.at, clip.shownAt]).toEqual([3, 1]);
    const choosing = clip.choose('back · GetImages');
    expect([clip.frames.length, clip.shownFrames.length, clip.shownAt]).toEqual([1, 4, 1]);
    slow.resolve();
    await Promise.all([going, choosing]);
    expect([clip.shownFrames.length, clip.shownAt, shown()?.id]).toEqual([1, 0, ids[4]]);
  });

  it('says why an image cannot be drawn, and goes on behind it', async () => {
    await clip.read(sequenceId, null);
    decoding.set(ids[1]!, Promise.reject(new UndrawnPictureError('a.png', 'It is damaged.', {})));
    await clip.go(1);
    expect([clip.shown?.bitmap, clip.shown?.undrawn]).toEqual([null, 'It is damaged.']);
    await clip.go(2);
    expect(clip.shown?.undrawn).toBe('');
  });

  it('stays within its images', async () => {
    await clip.read(sequenceId, null);
    await clip.go(-1);
    expect(clip.at).toBe(0);
    await clip.go(99);
    expect(clip.at).toBe(3);
  });

  it('of a sequence that is gone says so', async () => {
    await clip.read('none', null);
    expect(clip.failure?.message).toContain('no sequence none');
  });

  it('shows nothing once it is closed', async () => {
    await clip.read(sequenceId, null);
    clip.close();
    expect([clip.shown, kept]).toEqual([null, []]);
  });
});
