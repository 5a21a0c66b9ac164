import { errorWords } from '../../kit/words/error-words.ts';
import type { MemoryPort } from '../../kit/memory/remembered.ts';
import { BoxDrafts, type DraftStorage } from './saving/box-drafts.ts';
import type { AnnotatedBox } from './boxes/annotated-box.ts';
import type { ImageSequence, ImageSource } from './saving/image-source.ts';
import { ImageSessions, type ImageSession } from './image-session.ts';
import { LabelList } from './boxes/label-list.svelte.ts';
import { PictureCache, UndrawnPictureError, type CachedPicture } from './saving/picture-cache.ts';

export interface ImageEditorPorts {
  readonly memory: MemoryPort;
  readonly drafts: DraftStorage | null;
  readonly exclusively: <T>(name: string, work: () => Promise<T>) => Promise<T>;
  readonly onSaved: (imageId: string) => void;
  readonly onFailure: (error: unknown, what: string) => void;
}

/** Most images of which the uses of labels are counted. */
const mostCounted = 200;

/** The image that is shown in the editor, its neighbours and its boxes. */
export class ImageEditorState {
  readonly #source: ImageSource;
  readonly #onFailure: ImageEditorPorts['onFailure'];
  readonly #sessions: ImageSessions;
  readonly #drafts: BoxDrafts;
  readonly #cache: PictureCache;
  readonly labels: LabelList;
  session = $state.raw<ImageSession | null>(null);
  /** null while it is fetched, or if it cannot be shown. */
  picture = $state.raw<CachedPicture | null>(null);
  /** Why there is no picture. */
  fault: string = $state('');
  #undrawnName = $state('');
  /** the sequence of the shown image, or the last one; null if the image belongs to none */
  sequence = $state.raw<ImageSequence | null>(null);
  readonly #life = new AbortController();
  #usesAsked = false;
  #resumed = $state.raw<readonly ImageSession[]>([]);

  constructor(source: ImageSource, { memory, drafts, exclusively, onSaved, onFailure }: ImageEditorPorts) {
    this.#source = source;
    this.#onFailure = onFailure;
    this.#drafts = new BoxDrafts(drafts, source.draftPrefix);
    this.#sessions = new ImageSessions({
      storeOf: (id) => source.boxesOf(id),
      drafts: this.#drafts,
      exclusively,
      onSaved,
    });
    this.#cache = new PictureCache((id, signal) => source.fetch(id, signal));
    this.labels = new LabelList(memory);
  }
  /** name of the file; '' until it was fetched */
  get pictureName(): string {
    return this.picture?.name ?? this.#undrawnName;
  }

  /** Shows an image; its neighbours are fetched ahead. */
  async show(id: string, neighbours: readonly string[]): Promise<void> {
    if (this.session?.id === id) return this.#fetchAhead(id, neighbours);
    const saved = this.#leave();
    void this.#readSequence(id, saved);
    this.session = this.#sessions.open(id);
    this.picture = null;
    this.fault = '';
    this.#undrawnName = '';
    this.#cache.keep([id, ...neighbours]);
    try {
      const picture = await this.#cache.get(id);
      if (this.session?.id !== id) return;
      this.picture = picture;
      this.#fetchAhead(id, neighbours);
    } catch (error) {
      if (this.session?.id !== id) return;
      this.fault = faultWords(error);
      if (error instanceof UndrawnPictureError) this.#undrawnName = error.fileName;
    }
  }

  /** Saves, and clears the selection: after a return, arrow keys go through the images again. */
  async #leave(): Promise<void> {
    const left = this.session;
    if (!left) return;
    left.boxes.select([]);
    this.sequence = withBoxes(this.sequence, (id) => (id === left.id ? left.boxes.boxes : null));
    await left.sync.save();
  }

  /** Reads the frames again once the changes made here were saved. */
  async #readSequence(id: string, saved: Promise<void>): Promise<void> {
    await saved;
    const { signal } = this.#life;
    try {
      const sequence = (await this.#source.sequenceOf?.(id, signal)) ?? null;
      if (this.session?.id === id) this.sequence = withBoxes(sequence, (of) => this.#sessions.unsavedBoxes(of));
    } catch (error) {
      if (!signal.aborted) this.#onFailure(error, 'The frames of the sequence could not be listed.');
    }
  }

  #fetchAhead(id: string, neighbours: readonly string[]): void {
    this.#cache.keep([id, ...neighbours]);
    for (const next of neighbours) this.#cache.get(next).catch(() => undefined); // an error is shown with the image
  }

  /** Adds the labels in use to the list. */
  async learnLabels(signal: AbortSignal): Promise<void> {
    try {
      this.labels.know(await this.#source.labels(signal));
    } catch (error) {
      if (!signal.aborted) this.#onFailure(error, 'The labels in use could not be listed.');
    }
  }

  /** Gives the digits to the labels used most on these images, as far as they are near the open one. Runs once. */
  async learnUses(id: string, ids: readonly string[]): Promise<void> {
    if (this.#usesAsked) return;
    this.#usesAsked = true;
    const from = Math.max(0, ids.indexOf(id) - mostCounted / 2);
    try {
      this.labels.learnUses(await this.#source.labelUses(ids.slice(from, from + mostCounted), this.#life.signal));
    } catch (error) {
      if (!this.#life.signal.aborted) this.#onFailure(error, 'How often labels are used could not be counted.');
    }
  }

  /** Saves the drafts of earlier visits. */
  resumeDrafts(): void {
    this.#resumed = this.#sessions.resumeDrafts();
  }

  /** Other images with boxes that were changed here and elsewhere; a person has to decide. */
  get undecided(): readonly string[] {
    const others = this.#resumed.filter(({ id }) => id !== this.session?.id);
    return others.filter(({ sync }) => sync.conflicts.length > 0).map(({ id }) => id);
  }

  close(): void {
    this.#life.abort();
    this.#sessions.close();
    this.#cache.keep([]);
  }
}

/** The sequence, with the boxes that `boxesOf` knows in place of those read. */
function withBoxes(
  sequence: ImageSequence | null,
  boxesOf: (id: string) => readonly AnnotatedBox[] | null,
): ImageSequence | null {
  return (
    sequence && {
      ...sequence,
      frames: sequence.frames.map((frame) => ({ ...frame, boxes: boxesOf(frame.id) ?? frame.boxes })),
    }
  );
}

function faultWords(error: unknown): string {
  if (error instanceof UndrawnPictureError || (error instanceof Error && error.constructor === Error))
    return error.message;
  const words = errorWords(error);
  return words ? `The image could not be fetched. ${words.message} ${words.cure}`.trim() : '';
}
