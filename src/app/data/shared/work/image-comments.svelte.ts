import { Code, ConnectError } from '@connectrpc/connect';
import type { Comment } from '../../../../gen/sightglass/labels/v1/labels_pb.ts';
import { Attempts } from '../../../kit/edits/attempts.svelte.ts';
import type { DataContext } from '../../context/data-context.ts';
import { labelClientOf, type LabelClient } from './label-client.ts';

/** A place on an image, 0 to 1 of its width and height. */
export interface CommentPlace {
  readonly x: number;
  readonly y: number;
}

/** Most characters of a comment. */
export const mostCommentCharacters = 2000;
const pageRows = 1000;
const within = (share: number): number => Math.min(1, Math.max(0, share));

/** What people say about the shown image, and a comment that is being written. */
export class ImageComments {
  readonly #client: LabelClient;
  readonly #attempts = new Attempts();
  #imageId = '';
  /** the oldest first */
  list = $state.raw<readonly Comment[]>([]);
  /** id of the comment that is pointed out; '' for none */
  public chosenId = $state('');
  /** where a new comment is put; null while none is written */
  draft = $state.raw<CommentPlace | null>(null);
  /** false: the data service knows no comments */
  isOffered = $state(true);

  constructor(context: Pick<DataContext, 'transport'>) {
    this.#client = labelClientOf(context);
  }

  get failure() {
    return this.#attempts.failure;
  }
  get busy(): boolean {
    return this.#attempts.busy;
  }

  /** Comments that are not resolved yet. */
  readonly open: readonly Comment[] = $derived.by(() => this.list.filter(({ resolved }) => !resolved));

  /** Shows what is said of an image; `mayRead`: whether the service would tell. */
  async show(imageId: string, mayRead = true): Promise<void> {
    [this.#imageId, this.list, this.chosenId, this.draft] = [imageId, [], '', null];
    this.#attempts.dismiss();
    if (this.isOffered && mayRead) await this.read();
  }

  async read(): Promise<void> {
    const binaryDataId = this.#imageId;
    try {
      const read: Comment[] = [];
      for (let pageToken = ''; ;) {
        const answer = await this.#client.listComments({ binaryDataId, pageSize: pageRows, pageToken });
        read.push(...answer.comments);
        pageToken = answer.nextPageToken;
        if (pageToken === '') break;
      }
      if (binaryDataId === this.#imageId) this.list = read;
    } catch (error) {
      if (ConnectError.from(error).code === Code.Unimplemented) this.isOffered = false;
    }
  }

  /** Begins a comment at a place. */
  begin(place: CommentPlace): void {
    this.chosenId = '';
    this.draft = { x: within(place.x), y: within(place.y) };
  }

  /** Moves the place of the comment that is written. */
  moveBy(x: number, y: number): void {
    if (this.draft) this.begin({ x: this.draft.x + x, y: this.draft.y + y });
  }

  drop(): void {
    this.draft = null;
    this.#attempts.dismiss();
  }

  /** Adds the comment that is written; resolves to whether it was added. */
  async add(text: string, taskId: string): Promise<boolean> {
    const binaryDataId = this.#imageId;
    const place = this.draft && { xNormalized: this.draft.x, yNormalized: this.draft.y };
    const isAdded = await this.#attempts.attempt(async () => {
      const { comment } = await this.#client.addComment({ binaryDataId, taskId, text, ...(place && { place }) });
      if (!comment || binaryDataId !== this.#imageId) return;
      this.list = [...this.list, comment];
      this.chosenId = comment.id;
    });
    if (isAdded) this.draft = null;
    return isAdded;
  }

  async resolve({ id, binaryDataId }: Comment, resolved: boolean): Promise<void> {
    await this.#attempts.attempt(async () => {
      const { comment } = await this.#client.resolveComment({ binaryDataId, id, resolved });
      if (comment) this.list = this.list.map((one) => (one.id === id ? comment : one));
    });
  }

  /** Points out the next comment that is not resolved; returns it. */
  chooseNext(): Comment | null {
    const at = this.open.findIndex(({ id }) => id === this.chosenId);
    const next = this.open[at + 1] ?? this.open[0] ?? null;
    this.chosenId = next?.id ?? '';
    return next;
  }
}
