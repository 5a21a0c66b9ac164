import type { FeedingCure, FeedingPhase, FoundFeeding, LabelledPicture } from '../../../../workers/feeding/client.ts';
import { parseThing, widestDigits, type GivenThing } from '../../../models/fit/feeding/given-thing.ts';
import { spreadOver } from '../../../evidence/evaluation/face/thresholds.ts';
import { inBatches } from '../../../base/schedule/in-batches.ts';
import { RunLife, type RunState } from '../../kit/runs/run-life.svelte.ts';
import { errorWords } from '../../kit/words/error-words.ts';
import type { BenchFeeding, FeedingBench, MeasureFeeding } from '../ports/feeding-bench.ts';
import type { TruthImage, TruthSource } from '../ports/truth-source.ts';

export interface FeedingPorts {
  readonly bench: FeedingBench;
  readonly measure: MeasureFeeding;
}

/** Where the labelled frames are: the set that is chosen when a search begins. */
export interface LabelledFrames {
  readonly setName: string;
  /** a person says that each image of which nothing is recorded is of another scene or time */
  readonly areIndependent: boolean;
  /** images with the truth that counts */
  readonly images: (signal: AbortSignal) => Promise<readonly TruthImage[]>;
  readonly bytes: (ids: readonly string[], signal: AbortSignal) => ReturnType<TruthSource['bytes']>;
}

/** Limits that a person can choose between. */
export const frameLimits = [30, 100, 300] as const;

/** What a search was made of, and what came of it. */
export interface FeedingOutcome extends FoundFeeding {
  readonly of: Pick<BenchFeeding, 'modelName' | 'stepsOf' | 'key'>;
  /** name of the set, or of the one picture */
  readonly from: string;
  /** with boxes that count, of which `pictures` were taken */
  readonly labelled: number;
}

interface ReadPictures extends Pick<FeedingOutcome, 'from' | 'labelled'> {
  readonly areIndependent: boolean;
  readonly pictures: readonly LabelledPicture[];
}

/** Searches by labelled frames how the bench's model was fed in training, measures what the machine's feeding loses against it, and writes what wins it back. */
export class FeedingSearch {
  readonly #ports: FeedingPorts;
  readonly #frames: () => LabelledFrames | null;
  readonly #life = new RunLife();
  #mostFrames: number = $state(frameLimits[0]);
  #progress = $state.raw<{ readonly phase: FeedingPhase; readonly fraction: number }>({ phase: 'reading', fraction: 0 }); // prettier-ignore
  #outcome = $state.raw<FeedingOutcome | null>(null);
  #isWriting = $state(false);
  #refused = $state('');

  constructor(ports: FeedingPorts, frames: () => LabelledFrames | null) {
    this.#ports = ports;
    this.#frames = frames;
  }

  /** How many frames a search takes at most. */
  get mostFrames(): number {
    return this.#mostFrames;
  }

  limit(mostFrames: number): void {
    this.#mostFrames = mostFrames;
  }

  get state(): RunState {
    return this.#life.state;
  }

  get isBusy(): boolean {
    return this.#life.isBusy;
  }

  get progress(): { readonly phase: FeedingPhase; readonly fraction: number } {
    return this.#progress;
  }

  /** null: nothing was searched yet */
  get outcome(): FeedingOutcome | null {
    return this.#outcome;
  }

  /** Whether the bench feeds its model otherwise now than was measured: a cure was written, or a person changed it. */
  get isStale(): boolean {
    return this.#outcome !== null && this.#ports.bench.key !== this.#outcome.of.key;
  }

  get isWriting(): boolean {
    return this.#isWriting;
  }

  /** Why the last cure was not written; '': it was. */
  get refused(): string {
    return this.#refused;
  }

  /** The cure that was written last, in words, while one undo takes exactly that back; '': none. */
  get written(): string {
    return this.#ports.bench.written;
  }

  /** Searches by the labelled frames of the chosen set; a search under way is cancelled. */
  async start(): Promise<void> {
    const frames = this.#frames();
    if (!frames) return;
    await this.#search(async (signal) => {
      const images = await frames.images(signal);
      const labelled = images.filter(({ boxes }) => boxes.some(({ isIgnored, isCrowd }) => !isIgnored && !isCrowd));
      const pictures = await readPictures(frames, spreadOver(labelled, this.#mostFrames), signal);
      return { pictures, from: frames.setName, labelled: labelled.length, areIndependent: frames.areIndependent };
    });
  }

  /** Searches by one picture and what the model said of it in training, a line a box; a search under way is cancelled. */
  async startWith(file: File, said: string): Promise<void> {
    await this.#search(async () => {
      const lines = said.split('\n').map((line) => line.trim());
      const things = lines.filter((line) => line !== '').map(parsed);
      if (things.length === 0) throw new RangeError('Say what is on the picture: a line for each box.');
      const boxes = things.map(({ label, boxPx, score }) => ({ label, box: boxPx, score }));
      const bytes = new Uint8Array(await file.arrayBuffer());
      const picture = { id: file.name, name: file.name, sequence: '', bytes, boxes, printed: widestDigits(things) };
      return { pictures: [picture], from: file.name, labelled: 1, areIndependent: false };
    });
  }

  async #search(read: (signal: AbortSignal) => Promise<ReadPictures>): Promise<void> {
    const signal = this.#life.prepare();
    this.#progress = { phase: 'reading', fraction: 0 };
    this.#refused = '';
    this.#outcome = null;
    try {
      const { pictures, from, labelled, areIndependent } = await read(signal);
      signal.throwIfAborted();
      if (labelled === 0) return this.#life.fail(noLabels(from));
      const fed = await this.#ports.bench.now();
      signal.throwIfAborted();
      this.#life.run();
      const { modelName, stepsOf, key, ...task } = fed;
      const tell = (phase: FeedingPhase, fraction: number): void => {
        if (!signal.aborted) this.#progress = { phase, fraction };
      };
      const found = await this.#ports.measure({ ...task, pictures, areIndependent }, tell, signal);
      signal.throwIfAborted();
      this.#outcome = { ...found, of: { modelName, stepsOf, key }, from, labelled };
      this.#life.finish();
    } catch (error) {
      if (!signal.aborted) this.#life.fail(errorWords(error) ?? { message: String(error), cure: '' });
    }
  }

  /** Ends the search with its worker. */
  cancel(): void {
    this.#life.cancel();
  }

  /** Writes a cure in one undo step. */
  async use(cure: FeedingCure): Promise<void> {
    if (this.#isWriting || this.isStale) return;
    this.#isWriting = true;
    this.#refused = '';
    try {
      this.#refused = await this.#ports.bench.write(cure);
    } catch (error) {
      this.#refused = errorWords(error)?.message ?? String(error);
    } finally {
      this.#isWriting = false;
    }
  }

  takeBack(): void {
    this.#ports.bench.takeBack();
  }
}

function parsed(line: string): GivenThing {
  try {
    return parseThing(line);
  } catch (error) {
    throw new RangeError(`A line wants ${(error as Error).message}`, { cause: error });
  }
}

const noLabels = (setName: string) => ({
  message: `No image of ${setName || 'this set'} has a box that counts.`,
  cure: 'Draw boxes in the data area, or choose another set.',
});

async function readPictures(
  frames: LabelledFrames,
  images: readonly TruthImage[],
  signal: AbortSignal,
): Promise<readonly LabelledPicture[]> {
  const pictures: LabelledPicture[] = [];
  for (const batch of inBatches(images)) {
    const bytes = await frames.bytes(
      batch.map(({ id }) => id),
      signal,
    );
    signal.throwIfAborted();
    for (const { id, name, sequence, boxes } of batch) {
      const read = bytes.get(id);
      const labelled = boxes.map(({ label, isIgnored = false, isCrowd = false, ...box }) => ({
        label,
        box: [box.xMinNormalized, box.yMinNormalized, box.xMaxNormalized, box.yMaxNormalized] as const,
        isIgnored: isIgnored || isCrowd,
      }));
      if (read) pictures.push({ id, name, sequence, bytes: read, boxes: labelled });
    }
  }
  return pictures;
}
