import { SvelteMap } from 'svelte/reactivity';
import { describe, expect, it } from 'vitest';
import type { AnnotatedBox } from '../boxes/annotated-box.ts';
import { corrected } from '../boxes/box-edits.ts';
import { BoxesState } from '../boxes/boxes-state.svelte.ts';
import type { ImageSequence } from '../saving/image-source.ts';
import { TracksState } from './tracks-state.svelte.ts';

const boxAt = (x: number, part: Partial<AnnotatedBox> = {}): AnnotatedBox => ({
  key: 'a',
  label: 'cup',
  confidence: null,
  predicted: false,
  xMinNormalized: x,
  yMinNormalized: 0,
  xMaxNormalized: x + 0.1,
  yMaxNormalized: 0.5,
  ...part,
});

/** Five frames, of which one is shown; what was done on the others is kept with them. */
function film(first: readonly AnnotatedBox[] = [boxAt(0.1)]) {
  const images = Array.from({ length: 5 }, (_, n) => {
    const boxes = new BoxesState();
    if (n === 0) boxes.begin(first);
    return boxes;
  });
  const said: string[] = [];
  const view = new SvelteMap([['shown', 0]]);
  const shown = (): number => view.get('shown')!;
  let isSequence = true;
  let whenAsked = (place: number): unknown => view.set('shown', place);
  const open = (): TracksState => {
    const sequence: ImageSequence = {
      name: 'walk',
      frames: images.map((boxes, n) => ({
        id: String(n),
        name: `${n}.png`,
        at: 10 * n,
        get boxes() {
          return boxes.boxes;
        },
      })),
    };
    return new TracksState({
      boxes: () => images[shown()]!,
      sequence: () => (isSequence ? sequence : null),
      imageId: () => String(shown()),
      go: (id) => whenAsked(Number(id)),
      say: (sentence) => said.push(sentence),
    });
  };
  let tracks = open();
  const here = () => images[shown()]!;
  return {
    said,
    here,
    get tracks() {
      return tracks;
    },
    get shown() {
      return shown();
    },
    /** From now on images are asked for, and come with the function that is given back. */
    slowDown() {
      let asked = 0;
      whenAsked = (place) => (asked = place);
      return () => view.set('shown', asked);
    },
    leaveSequence: () => (isSequence = false),
    /** Selects all that is there, and does something with it. */
    withAll(does: (state: TracksState) => void) {
      here().select(here().boxes.map(({ key }) => key));
      does(tracks);
      tracks.settle();
    },
    go(place: number) {
      here().select([]);
      view.set('shown', place);
      tracks = open();
      tracks.settle();
    },
    /** The left edge of each box in hundredths and its track: `20 1◆` a key frame, `20 1◇` between, `!` where it ends. */
    rows: () =>
      here().boxes.map(({ xMinNormalized, track }) => {
        const mark = track ? ` ${track.id}${track.isKey ? '◆' : '◇'}${track.isLast ? '!' : ''}` : '';
        return `${Math.round(xMinNormalized * 100)}${mark}`;
      }),
    move(by: number) {
      const [box] = here().boxes;
      here().edit('Move', [{ key: box!.key, box: corrected(box!, { xMinNormalized: box!.xMinNormalized + by }) }]);
      tracks.settle();
    },
  };
}

it('stays on the frame that is shown when it is asked for again, without a word', () => {
  const one = film();
  one.tracks.goTo(0);
  expect([one.shown, one.said]).toEqual([0, []]);
  one.tracks.goTo(3);
  expect([one.shown, one.said]).toEqual([3, ['Frame 4 of 5.']]);
});

describe('a track', () => {
  it('goes on over the later frames, and a box that is changed there is a key frame', () => {
    const one = film();
    one.withAll((tracks) => tracks.toggle());
    expect([one.rows(), one.said]).toEqual([['10 1◆'], ['Track 1 begun.']]);
    one.go(4);
    expect(one.rows()).toEqual(['10 1◇']);
    expect(one.here().undoLabel).toBeNull();
    one.move(0.4);
    expect(one.rows()).toEqual(['50 1◆']);
    one.go(2);
    expect(one.rows()).toEqual(['30 1◇']);
    expect(one.tracks.list).toEqual([{ id: 1, label: 'cup', keyFrames: [0, 4], spans: [[0, 4]] }]);
  });

  it('is computed again when the change is undone', () => {
    const one = film();
    one.withAll((tracks) => tracks.toggle());
    one.go(2);
    one.move(0.3);
    one.here().undo();
    one.tracks.settle();
    expect(one.rows()).toEqual(['10 1◇']);
    one.here().redo();
    expect(one.rows()).toEqual(['40 1◆']);
  });

  it('ends with a frame, and begins again where a box joins it', () => {
    const one = film();
    one.withAll((tracks) => tracks.toggle());
    one.go(1);
    one.withAll((tracks) => tracks.toggleEnd());
    expect(one.rows()).toEqual(['10 1◆!']);
    one.go(3);
    expect(one.rows()).toEqual([]);
    one.here().begin([boxAt(0.7, { key: 'b' })]);
    expect(one.tracks.openTo(one.here().boxes[0]!).map(({ id }) => id)).toEqual([1]);
    one.tracks.join(one.here().boxes[0]!, 1);
    one.tracks.settle();
    expect(one.rows()).toEqual(['70 1◆']);
    one.go(2);
    expect(one.rows()).toEqual([]);
    one.go(4);
    expect(one.rows()).toEqual(['70 1◇']);
    expect(one.tracks.list[0]).toMatchObject({ keyFrames: [0, 1, 3], spans: [[0, 1], [3, 4]] }); // prettier-ignore
    one.go(1);
    one.withAll((tracks) => tracks.toggleEnd());
    expect(one.rows()).toEqual(['10 1◆']);
  });

  it('gets a key frame as it is, and loses it again', () => {
    const one = film();
    one.withAll((tracks) => tracks.toggle());
    one.go(3);
    one.withAll((tracks) => tracks.toggleKey());
    expect(one.rows()).toEqual(['10 1◆']);
    one.withAll((tracks) => tracks.toggleKey());
    expect(one.rows()).toEqual(['10 1◇']);
    expect(one.here().undoLabel).toBe('Remove a key frame');
  });

  it('lets boxes go that are taken out, and takes none that another has here', () => {
    const one = film([boxAt(0.1), boxAt(0.6, { key: 'b', label: 'mug' })]);
    one.withAll((tracks) => tracks.toggle());
    expect(one.rows()).toEqual(['10 1◆', '60 2◆']);
    expect(one.tracks.openTo(one.here().boxes[0]!).map(({ id }) => id)).toEqual([1]);
    one.tracks.join(one.here().boxes[1]!, null);
    expect(one.rows()).toEqual(['10 1◆', '60']);
    one.withAll((tracks) => tracks.toggle());
    expect(one.rows()).toEqual(['10 1◆', '60 2◆']);
    one.withAll((tracks) => tracks.toggle());
    expect([one.rows(), one.tracks.list]).toEqual([['10', '60'], []]);
  });

  it('of a computed box, taken out of it, leaves the box and is computed beside it', () => {
    const one = film();
    one.withAll((tracks) => tracks.toggle());
    one.go(1);
    one.withAll((tracks) => tracks.toggle());
    expect(one.rows()).toEqual(['10', '10 1◇']);
  });
});

describe('frames', () => {
  it('are gone through one by one, by key frames, and by a track that is not here', () => {
    const one = film();
    one.withAll((tracks) => tracks.toggle());
    one.tracks.step(-1);
    one.tracks.step(1);
    expect([one.shown, one.said.slice(1)]).toEqual([1, ['This is the first frame.', 'Frame 2 of 5.']]);
    one.tracks.settle();
    expect(one.tracks.isSelected(1), 'the track stays selected').toBe(true);
    one.withAll((tracks) => tracks.toggleEnd());
    one.go(4);
    one.tracks.stepKey(1);
    expect([one.shown, one.said.at(-1)]).toEqual([4, 'There is no key frame after this one.']);
    one.tracks.choose(one.tracks.list[0]!);
    expect(one.shown).toBe(1);
    one.tracks.stepKey(-1);
    expect(one.shown).toBe(0);
  });

  it('keep the track selected until the next one is there', () => {
    const one = film();
    one.withAll((tracks) => tracks.toggle());
    const arrive = one.slowDown();
    one.tracks.step(1);
    one.tracks.settle();
    expect(one.shown).toBe(0);
    arrive();
    one.tracks.settle();
    expect([one.shown, one.tracks.isSelected(1)]).toEqual([1, true]);
  });

  it('of no sequence have no tracks, and say so', () => {
    const one = film();
    one.leaveSequence();
    one.go(0);
    one.withAll((tracks) => tracks.toggle());
    one.tracks.step(1);
    expect([one.rows(), one.shown]).toEqual([['10'], 0]);
    expect(new Set(one.said).size).toBe(1);
    expect(one.said[0]).toMatch(/^This image is not in a sequence/);
  });
});
