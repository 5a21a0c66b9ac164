import { counted } from '../../../kit/words/figures.ts';
import { computedBoxes, type KeyFrame, type TrackMark, tracksOf } from '../../../../evidence/datasets/face/tracks.ts';
import {
  changesTo,
  isComputed,
  removalOf,
  sameValue,
  type AnnotatedBox,
  type BoxChange,
  type TrackedBox,
} from '../boxes/annotated-box.ts';
import { withoutTrack } from '../boxes/box-edits.ts';
import type { BoxesState } from '../boxes/boxes-state.svelte.ts';
import type { ImageSequence, SequenceFrame } from '../saving/image-source.ts';

export interface TracksPorts {
  readonly boxes: () => BoxesState;
  /** the sequence of the shown image; null: it belongs to none */
  readonly sequence: () => ImageSequence | null;
  readonly imageId: () => string;
  /** Shows another image. */
  readonly go: (imageId: string) => void;
  readonly say: (sentence: string) => void;
}

/** A track in a list; frames are counted from 0. */
export interface ListedTrack {
  readonly id: number;
  readonly label: string;
  readonly keyFrames: readonly number[];
  /** the frames on which it is visible, from first to last */
  readonly spans: readonly (readonly [first: number, last: number])[];
}

const noFrames: readonly SequenceFrame[] = [];

/** The tracks of the shown image's sequence, their boxes on this image, and the actions on them. */
export class TracksState {
  readonly #ports: TracksPorts;
  /** the track whose box is selected once the requested image is open */
  #follows: { readonly track: number; readonly imageId: string } | null = null;

  constructor(ports: TracksPorts) {
    this.#ports = ports;
  }

  /** In order; empty if the image is in no sequence. */
  readonly frames: readonly SequenceFrame[] = $derived.by(() => {
    const frames = this.#ports.sequence()?.frames ?? noFrames;
    return frames.some(({ id }) => id === this.#ports.imageId()) ? frames : noFrames;
  });

  /** position of the shown image among the frames; -1 if there are none */
  readonly place: number = $derived.by(() => this.frames.findIndex(({ id }) => id === this.#ports.imageId()));

  readonly #tracks: ReadonlyMap<number, readonly KeyFrame<TrackedBox>[]> = $derived.by(() => {
    const here = this.#ports.boxes().boxes.filter((box) => !isComputed(box));
    return tracksOf(this.frames.map(({ at, boxes }, place) => ({ at, boxes: place === this.place ? here : boxes })));
  });

  readonly list: readonly ListedTrack[] = $derived.by(() => {
    const placeOf = new Map(this.frames.map(({ at }, place) => [at, place]));
    const listed = [...this.#tracks].map(([id, keys]): ListedTrack => {
      const keyFrames = keys.map(({ at }) => placeOf.get(at)!);
      return { id, label: keys[0]!.box.label, keyFrames, spans: spansOf(keys, keyFrames, this.frames.length - 1) };
    });
    return listed.toSorted((a, b) => a.id - b.id);
  });

  /** The changes that make the computed boxes of this image agree with the key frames. */
  readonly changes: readonly BoxChange[] = $derived.by(() => {
    const { boxes } = this.#ports.boxes();
    const shown = boxes.filter(isComputed);
    const own = boxes.filter((box) => !isComputed(box));
    const at = this.frames[this.place]?.at;
    const ids = new Set(own.flatMap(({ track }) => (track ? [track.id] : [])));
    const wanted = (at === undefined ? [] : computedBoxes(this.#tracks, at, ids)).map((box): AnnotatedBox => ({
      ...box,
      key: freeKey(box.track.id, own),
      confidence: null,
      predicted: false,
    }));
    const gone = shown.filter(({ key }) => !wanted.some((box) => box.key === key));
    const news = wanted.filter((box) => !sameValue(box, shown.find(({ key }) => key === box.key) ?? null));
    return [...removalOf(gone), ...changesTo(news)];
  });

  /** Applies `changes`, and selects the box of the followed track. */
  settle(): void {
    const boxes = this.#ports.boxes();
    if (this.changes.length > 0) boxes.take(this.changes);
    const follows = this.#follows?.imageId === this.#ports.imageId() ? this.#follows.track : null;
    const followed = boxes.boxes.find(({ track }) => track && track.id === follows);
    if (!followed) return;
    this.#follows = null;
    boxes.select([followed.key]);
  }

  isSelected(id: number): boolean {
    return this.#ports.boxes().selection.some(({ track }) => track?.id === id);
  }

  /** Selects the track's box on this image, or goes to the nearest frame on which it has one. */
  choose({ id, spans }: ListedTrack): void {
    const boxes = this.#ports.boxes();
    const here = boxes.boxes.find(({ track }) => track?.id === id);
    if (here) return boxes.select([here.key]);
    const ends = spans.flat().toSorted((a, b) => Math.abs(a - this.place) - Math.abs(b - this.place));
    if (ends[0] !== undefined) this.#goTo(ends[0], id);
  }

  /** Shows a frame by its position, counted from 0. The selected track stays selected. */
  goTo(place: number): void {
    this.#goTo(place, this.#chosen);
  }

  /** Shows the next or previous frame. */
  step(by: 1 | -1): void {
    if (this.frames.length === 0) return this.#ports.say(noSequence);
    if (!this.frames[this.place + by]) this.#ports.say(`This is the ${by > 0 ? 'last' : 'first'} frame.`);
    else this.goTo(this.place + by);
  }

  /** Shows the next or previous key frame of the selected track, or of any. */
  stepKey(by: 1 | -1): void {
    if (this.frames.length === 0) return this.#ports.say(noSequence);
    const of = this.list.filter(({ id }) => this.#chosen === null || id === this.#chosen);
    const places = of.flatMap(({ keyFrames }) => keyFrames).filter((place) => (place - this.place) * by > 0);
    if (places.length === 0) this.#ports.say(`There is no key frame ${by > 0 ? 'after' : 'before'} this one.`);
    else this.goTo(by > 0 ? Math.min(...places) : Math.max(...places));
  }

  get #chosen(): number | null {
    return this.#ports.boxes().selection.find(({ track }) => track)?.track?.id ?? null;
  }

  #goTo(place: number, follows: number | null): void {
    const frame = this.frames[place];
    if (!frame || place === this.place) return;
    this.#follows = follows === null ? null : { track: follows, imageId: frame.id };
    this.#ports.go(frame.id);
    this.#ports.say(`Frame ${place + 1} of ${this.frames.length}.`);
  }

  /** Starts a track with each selected box; if all belong to tracks already, removes them from these. */
  toggle(): void {
    const selection = this.#inSequence();
    const free = selection.filter(({ track }) => !track);
    if (selection.length === 0) return;
    if (free.length === 0) {
      this.#edit('Take out of the track', selection.map(withoutTrack));
      return this.#ports.say(`${counted(selection.length, 'box')} taken out of tracks.`);
    }
    let id = Math.max(0, ...this.#tracks.keys()) + 1;
    const begun = free.map((box) => ({ ...box, predicted: false, track: { id: id++, isKey: true, isLast: false } }));
    this.#edit('Begin a track', begun);
    this.#ports.say(`Track ${begun.map(({ track }) => track.id).join(', ')} begun.`);
  }

  /** Adds a box to a track that has none on this image: as the start of a new span, or as a key frame. */
  join(box: AnnotatedBox, id: number | null): void {
    const alone = withoutTrack(box);
    if (id === null) return this.#edit('Take out of the track', [alone]);
    this.#edit(`Join track ${id}`, [{ ...alone, predicted: false, track: { id, isKey: true, isLast: false } }]);
  }

  /** The tracks that a box may join: those without another key frame on this image. */
  openTo(box: AnnotatedBox): readonly ListedTrack[] {
    const taken = this.#ports
      .boxes()
      .boxes.filter((other) => other.key !== box.key && other.track && !isComputed(other));
    return this.list.filter(({ id }) => !taken.some(({ track }) => track!.id === id));
  }

  /** Turns selected computed boxes into key frames, and key frames into computed boxes. */
  toggleKey(): void {
    const tracked = this.#tracked();
    const between = tracked.filter(isComputed);
    if (between.length > 0) return this.#mark('Make a key frame', between, { isKey: true });
    if (tracked.length === 0) return;
    this.#ports.boxes().edit('Remove a key frame', removalOf(tracked));
    this.#ports.say('No longer a key frame.');
  }

  /** Ends the tracks of the selected boxes at this frame, or continues them. */
  toggleEnd(): void {
    const tracked = this.#tracked();
    const isLast = tracked.some(({ track }) => !track!.isLast);
    if (tracked.length === 0) return;
    this.#mark(isLast ? 'End the track' : 'Let the track go on', tracked, { isKey: true, isLast });
  }

  #mark(does: string, boxes: readonly AnnotatedBox[], part: Partial<TrackMark>): void {
    this.#edit(
      does,
      boxes.map((box) => ({ ...box, track: { ...box.track!, ...part } })),
    );
    this.#ports.say(`${does}: ${boxes.map(({ track, label }) => `${track!.id} ${label}`).join(', ')}.`);
  }

  #edit(does: string, boxes: readonly AnnotatedBox[]): void {
    this.#ports.boxes().edit(does, changesTo(boxes));
  }

  #inSequence(): readonly AnnotatedBox[] {
    if (this.frames.length === 0) this.#ports.say(noSequence);
    return this.frames.length === 0 ? [] : this.#ports.boxes().selection;
  }

  #tracked(): readonly AnnotatedBox[] {
    const tracked = this.#inSequence().filter(({ track }) => track);
    if (this.frames.length > 0 && tracked.length === 0) this.#ports.say('None of the selected boxes is in a track.');
    return tracked;
  }
}

const noSequence = 'This image is not in a sequence. Frames of a sequence share a tag “sequence:” with its name.';

/** A key frame that was made from a computed box keeps its key. */
function freeKey(id: number, own: readonly AnnotatedBox[]): string {
  let key = `track ${id}`;
  while (own.some((box) => box.key === key)) key += ' again';
  return key;
}

function spansOf(
  keys: readonly KeyFrame[],
  places: readonly number[],
  lastFrame: number,
): readonly (readonly [number, number])[] {
  const spans: [number, number][] = [];
  let begun: number | null = null;
  for (const [index, { isLast }] of keys.entries()) {
    begun ??= places[index]!;
    const isOver = index === keys.length - 1;
    if (!isLast && !isOver) continue;
    spans.push([begun, isLast ? places[index]! : lastFrame]);
    begun = null;
  }
  return spans;
}
