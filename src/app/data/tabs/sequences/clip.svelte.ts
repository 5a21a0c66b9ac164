import { timestampMs } from '@bufbuild/protobuf/wkt';
import type { BinaryMetadata, BoundingBox } from '../../../../gen/app/data/v1/data_pb.ts';
import { errorWords, openFailureWords, type ErrorWords } from '../../../kit/words/error-words.ts';
import { UndrawnPictureError, type CachedPicture, type PictureCache } from '../../annotate/saving/picture-cache.ts';
import type { DataContext } from '../../context/data-context.ts';
import { resourceText } from './listed-sequence.ts';

/** An image of a sequence, with the boxes that are stored with it. */
export interface ClipFrame {
  readonly id: string;
  readonly name: string;
  /** when it was captured, since 1970 */
  readonly timeMs: number;
  readonly resource: string;
  readonly boxes: readonly BoundingBox[];
}

/** What the stage shows: a frame with its picture and boxes, which always change together. */
export interface ShownFrame {
  readonly frame: ClipFrame;
  /** null: the picture cannot be drawn */
  readonly bitmap: ImageBitmap | null;
  /** why the picture cannot be drawn; '' if it can, or if the reason is unknown */
  readonly undrawn: string;
}

export interface ClipPorts {
  /** decodes stored pictures, by id */
  readonly pictures: Pick<PictureCache, 'get' | 'keep'>;
  /** resolves after a time; rejects when the signal aborts */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

const pageSize = 1000;
/** No more are played in one clip: five and a half hours of a camera that captures one image a second. */
const mostFrames = 20_000;
/** How many pictures after the shown one are fetched in advance. */
const fetchedAhead = 6;
/** The longest time that a frame is shown while the clip plays at speed 1: captures may be minutes apart. */
const longestStandMs = 1000;

/** The images of a sequence, played one after the other in the rhythm of their capture. */
export class Clip {
  readonly #data: DataContext['data'];
  readonly #ports: ClipPorts;
  readonly #life = new AbortController();
  /** all images of all cameras */
  #all = $state.raw<readonly ClipFrame[]>([]);
  #resource = $state('');
  isRead: boolean = $state(false);
  /** there are more images than are played */
  isCut: boolean = $state(false);
  failure = $state.raw<ErrorWords | null>(null);
  /** index in `frames` of the frame that is shown, or is being fetched to be shown */
  at: number = $state(0);
  shown = $state.raw<ShownFrame | null>(null);
  /** how many times as fast as it was captured */
  public speed: number = $state(1);
  /** number of the last request to show a frame; the result of an earlier one is dropped */
  #turn = 0;
  /** whether the user has moved within the clip, or played it */
  #isMoved = false;
  #playing = $state.raw<AbortController | null>(null);

  readonly resources: readonly string[] = $derived(distinct(this.#all.map(({ resource }) => resource)));
  /** the camera whose images are played */
  readonly resource: string = $derived(
    this.resources.includes(this.#resource) ? this.#resource : (this.resources[0] ?? ''),
  );
  readonly frames: readonly ClipFrame[] = $derived(this.#all.filter(({ resource }) => resource === this.resource));

  /** the images of the camera whose image is shown; until the first image of a newly chosen camera is fetched, that is the earlier one */
  readonly shownFrames: readonly ClipFrame[] = $derived.by(() => {
    const resource = this.shown?.frame.resource ?? this.resource;
    return resource === this.resource ? this.frames : this.#all.filter((frame) => frame.resource === resource);
  });
  /** index in `shownFrames` of the image that is shown; `at` until any is shown */
  readonly shownAt: number = $derived(this.shown ? this.shownFrames.indexOf(this.shown.frame) : this.at);

  constructor(data: DataContext['data'], ports: ClipPorts) {
    this.#data = data;
    this.#ports = ports;
  }

  get isPlaying(): boolean {
    return this.#playing !== null;
  }

  /**
   * Reads the list of a sequence's images, page by page. Shows the first image once its page is read, and the image `startId` once the page
   * with that is read, unless the user has moved by then. What fails is told by `failure`.
   */
  async read(sequenceId: string, startId: string | null): Promise<void> {
    const { signal } = this.#life;
    let showing: Promise<void> | null = null;
    try {
      for await (const { frames, isMore } of framesOf(this.#data, sequenceId, signal)) {
        this.#all = [...this.#all, ...frames];
        const start = this.#isMoved ? undefined : frames.find(({ id }) => id === startId);
        if (start) this.#resource = start.resource;
        if (start) showing = this.#show(this.frames.indexOf(start));
        else showing ??= this.#show(0);
        this.isCut = isMore && this.#all.length >= mostFrames;
        if (this.isCut) break;
      }
      this.isRead = true;
      await showing;
    } catch (error) {
      if (!signal.aborted) this.failure = errorWords(error);
    }
  }

  /** Changes to another camera: shows its first image from the shown moment on, or its last. */
  async choose(resource: string): Promise<void> {
    const timeMs = this.frames[this.at]?.timeMs ?? 0;
    this.#resource = resource;
    const next = this.frames.findIndex((frame) => frame.timeMs >= timeMs);
    await this.go(next === -1 ? this.frames.length - 1 : next);
  }

  /** Stops playing, and shows the frame at an index, which is limited to the existing ones. */
  async go(index: number): Promise<void> {
    this.#isMoved = true;
    this.pause();
    await this.#show(index);
  }

  pause(): void {
    this.#playing?.abort();
    this.#playing = null;
  }

  /** Plays from here to the end; from the beginning, if this is the end. */
  async play(): Promise<void> {
    this.#isMoved = true;
    this.pause();
    const playing = new AbortController();
    this.#playing = playing;
    const { signal } = playing;
    try {
      if (this.at >= this.frames.length - 1) await this.#show(0);
      while (!signal.aborted && this.at < this.frames.length - 1) {
        const [now, next] = [this.frames[this.at]!, this.frames[this.at + 1]!];
        const standMs = Math.min(longestStandMs, Math.max(0, next.timeMs - now.timeMs)) / this.speed;
        await this.#ports.wait(standMs, signal);
        await this.#show(this.at + 1);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      if (this.#playing === playing) this.#playing = null;
    }
  }

  close(): void {
    this.pause();
    this.#life.abort();
    this.shown = null;
    this.#ports.pictures.keep([]);
  }

  /** The frame before stays on the stage until the picture of this one is decoded. */
  async #show(index: number): Promise<void> {
    const turn = ++this.#turn;
    this.at = Math.max(0, Math.min(this.frames.length - 1, index));
    const frame = this.frames[this.at];
    if (!frame) return;
    const ahead = this.frames.slice(this.at, this.at + 1 + fetchedAhead).map(({ id }) => id);
    this.#ports.pictures.keep([...ahead, ...(this.shown ? [this.shown.frame.id] : [])]);
    const picture = this.#ports.pictures.get(frame.id);
    for (const id of ahead) this.#ports.pictures.get(id).catch(() => undefined); // a failure is told once its frame is to be shown
    const shown = await shownFrame(frame, picture);
    if (turn === this.#turn && !this.#life.signal.aborted) this.shown = shown;
  }
}

/** The images of a sequence, page by page, in the order of their times. @throws ConnectError */
export async function* framesOf(
  data: DataContext['data'],
  sequenceId: string,
  signal: AbortSignal,
): AsyncGenerator<{ readonly frames: readonly ClipFrame[]; readonly isMore: boolean }, void> {
  for (let pageToken = ''; ;) {
    const page = await data.getSequenceBinaryData({ sequenceId, pageSize, pageToken }, { signal });
    pageToken = page.nextPageToken;
    yield { frames: page.data.map(({ metadata }) => clipFrame(metadata!)), isMore: pageToken !== '' };
    if (pageToken === '') return;
  }
}

const distinct = (texts: readonly string[]): readonly string[] => [...new Set(texts)];

async function shownFrame(frame: ClipFrame, picture: Promise<CachedPicture>): Promise<ShownFrame> {
  try {
    return { frame, bitmap: (await picture).bitmap, undrawn: '' };
  } catch (error) {
    const undrawn = error instanceof UndrawnPictureError ? error.message : (openFailureWords(error)?.message ?? '');
    return { frame, bitmap: null, undrawn };
  }
}

const clipFrame = ({
  binaryDataId,
  fileName,
  timeRequested,
  captureMetadata,
  annotations,
}: BinaryMetadata): ClipFrame => ({
  id: binaryDataId,
  name: fileName || binaryDataId,
  timeMs: timestampMs(timeRequested!),
  resource: resourceText({
    resourceName: captureMetadata?.componentName ?? '',
    methodName: captureMetadata?.methodName ?? '',
  }),
  boxes: annotations?.bboxes ?? [],
});
