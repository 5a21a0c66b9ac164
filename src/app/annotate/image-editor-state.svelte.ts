import type { DataContext } from '../data/data-context.ts';
import { errorWords } from '../data/error-words.ts';
import type { MemoryPort } from '../view/remembered.ts';
import { BoxDrafts, type DraftStorage } from './box-drafts.ts';
import { ImageSessions, type ImageSession } from './image-session.ts';
import { LabelList } from './label-list.svelte.ts';
import { PictureShelf, type StoredPicture } from './picture-shelf.ts';
import { createServiceBoxStore } from './service-box-store.ts';

export interface ImageEditorPorts {
  readonly memory: MemoryPort;
  readonly drafts: DraftStorage | null;
  readonly exclusively: <T>(name: string, work: () => Promise<T>) => Promise<T>;
  readonly onSaved: (imageId: string) => void;
}

/** Images of the data service, one after the other, with the boxes on them. */
export class ImageEditorState {
  readonly #context: DataContext;
  readonly #sessions: ImageSessions;
  readonly #drafts: BoxDrafts;
  readonly #shelf: PictureShelf;
  readonly labels: LabelList;
  #session = $state.raw<ImageSession | null>(null);
  #picture = $state.raw<StoredPicture | null>(null);
  #fault = $state('');
  #resumed = $state.raw<readonly ImageSession[]>([]);

  constructor(context: DataContext, { memory, drafts, exclusively, onSaved }: ImageEditorPorts) {
    this.#context = context;
    this.#drafts = new BoxDrafts(drafts);
    this.#sessions = new ImageSessions({
      storeOf: (id) => createServiceBoxStore(context.data, id),
      drafts: this.#drafts,
      exclusively,
      onSaved,
    });
    this.#shelf = new PictureShelf((id, signal) => this.#fetch(id, signal));
    this.labels = new LabelList(memory);
  }

  get session(): ImageSession | null {
    return this.#session;
  }
  /** null while it is fetched, and where it cannot be shown. */
  get picture(): StoredPicture | null {
    return this.#picture;
  }
  /** Why there is no picture. */
  get fault(): string {
    return this.#fault;
  }

  /** Shows an image; those next to it are fetched so that going on takes no time. */
  async show(id: string, neighbours: readonly string[]): Promise<void> {
    if (this.#session?.id === id) return this.#fetchAhead(id, neighbours);
    this.#leave();
    this.#session = this.#sessions.open(id);
    this.#picture = null;
    this.#fault = '';
    this.#shelf.keep([id, ...neighbours]);
    try {
      const picture = await this.#shelf.get(id);
      if (this.#session?.id !== id) return;
      this.#picture = picture;
      this.#fetchAhead(id, neighbours);
    } catch (error) {
      if (this.#session?.id === id) this.#fault = faultWords(error);
    }
  }

  /** Saves, and selects nothing: whoever comes back goes on through the images with the arrows. */
  #leave(): void {
    this.#session?.boxes.select([]);
    void this.#session?.sync.save();
  }

  #fetchAhead(id: string, neighbours: readonly string[]): void {
    this.#shelf.keep([id, ...neighbours]);
    for (const next of neighbours) this.#shelf.get(next).catch(() => undefined); // told when it is shown
  }

  async #fetch(id: string, signal: AbortSignal): Promise<{ readonly blob: Blob; readonly name: string }> {
    const found = await this.#context.data.binaryDataByIDs({ binaryDataIds: [id], includeBinary: true }, { signal });
    const image = found.data[0];
    if (!image) throw new Error('There is no image of this id in the data service.');
    const { fileName = '', captureMetadata } = image.metadata ?? {};
    const type = captureMetadata?.mimeType ?? '';
    return { blob: new Blob([image.binary as Uint8Array<ArrayBuffer>], { type }), name: fileName || id };
  }

  /** The labels that are in use in the organization join the list. */
  async learnLabels(signal: AbortSignal): Promise<void> {
    const filter = { organizationIds: [this.#context.home.organizationId] };
    try {
      const { labels } = await this.#context.data.boundingBoxLabelsByFilter({ filter }, { signal });
      this.labels.know(labels);
    } catch (error) {
      this.#context.report(error, 'The labels in use could not be listed.');
    }
  }

  /** Saves what earlier visits could not. */
  resumeDrafts(): void {
    this.#resumed = this.#sessions.resumeDrafts();
  }

  /** Other images of which boxes were changed here and elsewhere; someone has to decide. */
  get undecided(): readonly string[] {
    const others = this.#resumed.filter(({ id }) => id !== this.#session?.id);
    return others.filter(({ sync }) => sync.conflicts.length > 0).map(({ id }) => id);
  }

  close(): void {
    this.#sessions.close();
    this.#shelf.keep([]);
  }
}

function faultWords(error: unknown): string {
  if (error instanceof DOMException) return 'This browser cannot show the image: it has no decoder for its format.';
  if (error instanceof Error && error.constructor === Error) return error.message;
  const words = errorWords(error);
  return words ? `The image could not be fetched. ${words.message} ${words.cure}`.trim() : '';
}
