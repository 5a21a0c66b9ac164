import type { FootageFrame } from '../../../evidence/footage/footage-frame.ts';
import { whyAnotherRun, type RunSetup } from '../../../evidence/footage/run-setup.ts';
import { runFootage, type SeenFootage } from '../../../evidence/footage/run-footage.ts';
import type { FootageReader } from '../../../platform/ports/footage-reader.ts';
import type { FootageStore, KeptRun } from '../../../platform/ports/footage-store.ts';
import { renameResults } from '../../../machine/vision/face/filters.ts';
import { errorCode, errorMessage } from '../../../machine/vision/face/errors.ts';
import type { FrameResult } from '../../../../workers/vision/protocol.ts';
import { RunLife, type RunState } from '../../kit/runs/run-life.svelte.ts';
import { errorWords } from '../../kit/words/error-words.ts';
import type { FootageModel } from './footage-ports.ts';
import { RunFrames, type RenameFrame } from './run-frames.ts';

export interface FootageRunPorts {
  readonly open: () => Promise<FootageReader>;
  readonly prepare: () => Promise<FootageModel>;
  /** what the results depend on now; called when the model is ready */
  readonly setupOf: (reader: FootageReader) => Promise<RunSetup>;
  /** the service whose label file only names its results, and that file's names now; null: the names change the results themselves */
  readonly names: () => { readonly service: string; readonly labels: readonly string[] | null } | null;
  readonly store: FootageStore;
  readonly newId: () => string;
  readonly now: () => number;
}

/** While one frame is inferred, the next one is read. */
const RUN_AT_ONCE = 2;
const PUBLISHED_EVERY_MS = 250;
/** What a reload may have to run again. */
const KEPT_EVERY_MS = 1000;

/** Runs the bench's model on every frame of a video or folder, and keeps the results as it goes. */
export class FootageRun {
  readonly #ports: FootageRunPorts;
  readonly #life = new RunLife();
  #reader = $state.raw<FootageReader | null>(null);
  #setup = $state.raw<RunSetup | null>(null);
  #count = $state(0);
  #whyNew = $state('');
  #whyNotKept = $state('');
  /** frames run since the start, and the time that took without pauses */
  #ran = $state.raw({ count: 0, ms: 0, footageMs: 0 });
  /** frames that were there before this start */
  #resumedCount = $state(0);
  #frames: RunFrames;
  #latest = $state.raw<FootageFrame | null>(null);
  /** when the first frame since the start is shown */
  #fromMs: number | null = null;
  #publishedMs = -Infinity;
  #keptMs = 0;
  #startedMs = 0;

  constructor(ports: FootageRunPorts) {
    this.#ports = ports;
    this.#frames = $state.raw(new RunFrames(ports.store, ''));
  }

  get state(): RunState {
    return this.#life.state;
  }

  /** null: not opened yet */
  get reader(): FootageReader | null {
    return this.#reader;
  }

  get setup(): RunSetup | null {
    return this.#setup;
  }

  /** The frames that were run, in order: others for each start. Grows; `count` says when. */
  get frames(): RunFrames {
    return this.#frames;
  }

  /** The last of them, updated with `count`. */
  get latest(): FootageFrame | null {
    return this.#latest;
  }

  /** How many frames were run, updated four times a second. */
  get count(): number {
    return this.#count;
  }

  /** How many of them an earlier visit ran. */
  get resumedCount(): number {
    return this.#resumedCount;
  }

  /** Why results of an earlier run are not gone on with, in words that follow "because"; '': there are none, or they are. */
  get whyNew(): string {
    return this.#whyNew;
  }

  /** Why a reload begins again; '': it goes on. */
  get whyNotKept(): string {
    return this.#whyNotKept;
  }

  get isBusy(): boolean {
    return this.#life.isBusy;
  }

  /** null until the first frame was run */
  readonly framesPerSecond: number | null = $derived.by(() =>
    this.#ran.count > 0 ? (1000 * this.#ran.count) / this.#ran.ms : null,
  );

  /** How many times as fast as the video plays; null: pictures have no time of their own, or none was run. */
  readonly timesRealTime: number | null = $derived.by(() =>
    this.#reader?.kind === 'video' && this.#ran.count > 1 ? this.#ran.footageMs / this.#ran.ms : null,
  );

  /** 0..1 of the footage */
  readonly fraction: number = $derived.by(() => {
    if (this.state.kind === 'done') return 1;
    const { frameCount = null, durationMs = 0 } = this.#reader ?? {};
    if (frameCount !== null) return this.#count / Math.max(1, frameCount);
    return Math.min(1, (this.#latest?.timeMs ?? 0) / Math.max(1, durationMs));
  });

  readonly leftMs: number | null = $derived.by(() => {
    const { count, ms } = this.#ran;
    const before = this.#resumedCount;
    if (count === 0 || this.state.kind === 'done') return null;
    // The share that was run in this time, against the share that is left.
    const share = (this.fraction * count) / (count + before);
    return share > 0 ? (ms * (1 - this.fraction)) / share : null;
  });

  /** Runs what is not run yet: from the first frame on, or behind those that an earlier visit kept. */
  async start(): Promise<void> {
    const signal = this.#life.prepare();
    try {
      this.#reader ??= await this.#ports.open();
      const model = await this.#ports.prepare();
      const setup = await this.#ports.setupOf(this.#reader);
      signal.throwIfAborted();
      await this.#takeKept(this.#reader, setup);
      signal.throwIfAborted();
      this.#setup = setup;
      this.#life.run();
      this.#startedMs = this.#keptMs = this.#ports.now();
      await this.#runAll(this.#reader, model, signal);
      signal.throwIfAborted();
      this.#publish(true);
      await this.#keep(true);
      this.#life.finish();
    } catch (error) {
      if (signal.aborted) return;
      // "Auto" chose its backend meanwhile. Results of one run are of one backend, so it begins again.
      if (errorCode(error) === 'moved') return this.start();
      this.#publish(true);
      await this.#keep(false);
      this.#life.fail(errorWords(error) ?? { message: errorMessage(error), cure: '' });
    }
  }

  /** Begins again where what the results depend on was changed since; a run under way says so itself. */
  async renew(): Promise<void> {
    if (!this.isBusy && (await this.whyOther()) !== null && !this.isBusy) await this.start();
  }

  /** Why a run would have other results now, in words that follow "because"; null: it would not, or there is none yet. */
  async whyOther(): Promise<string | null> {
    if (!this.#reader || !this.#setup) return null;
    return whyAnotherRun(this.#setup, await this.#ports.setupOf(this.#reader));
  }

  pause(): void {
    if (this.state.kind !== 'running') return;
    this.#life.pause();
    void this.#keep(false);
  }

  resume(): void {
    this.#life.resume();
  }

  /** Ends the run. What was run stays, and is not run again. */
  cancel(): void {
    if (!this.isBusy) return;
    this.#publish(true);
    void this.#keep(false);
    this.#life.cancel();
  }

  /** Takes the frames that are kept of a run whose results are those of this one. */
  async #takeKept(reader: FootageReader, setup: RunSetup): Promise<void> {
    const { store } = this.#ports;
    let frames = new RunFrames(store, this.#ports.newId());
    this.#ran = { count: 0, ms: 0, footageMs: 0 };
    this.#fromMs = null;
    this.#whyNew = this.#whyNotKept = '';
    try {
      const runs = await store.runs(reader.fingerprint);
      const same = runs.find((run) => whyAnotherRun(run.setup, setup) === null);
      const kept = same ?? (await this.#renamable(runs, setup));
      // A stored frame has the names of the label file with which it ran.
      if (kept) frames = (await RunFrames.of(store, kept, this.#rename())) ?? frames;
      else if (runs[0]) this.#whyNew = whyAnotherRun(runs[0].setup, setup) ?? '';
    } catch (error) {
      this.#whyNotKept = errorMessage(error);
    }
    this.#frames = frames;
    this.#resumedCount = frames.count;
    this.#publish(true);
  }

  /** A kept run that differs only in the names of its classes, all of which can be renamed; null: there is none. */
  async #renamable(runs: readonly KeptRun[], setup: RunSetup): Promise<KeptRun | null> {
    const [names, rename] = [this.#ports.names(), this.#rename()];
    const run = names && runs.find((one) => whyAnotherRun(one.setup, setup, names.service) === null);
    if (!run || !rename) return null;
    const frames = await RunFrames.of(this.#ports.store, run);
    if (!frames) return null;
    for await (const frame of frames.all()) if (!rename(frame)) return null;
    return run;
  }

  #rename(): RenameFrame | null {
    const names = this.#ports.names();
    // A frame that failed behind the decoder runs again: with another list it may succeed.
    return names && ((frame) => (frame.failure && frame.stages.length > 0 ? null : renameResults(frame, names.labels)));
  }

  async #runAll(reader: FootageReader, model: FootageModel, signal: AbortSignal): Promise<void> {
    const ran = runFootage(reader.frames(this.#frames.last, signal), {
      see: async ({ image, index, timeMs, name }) =>
        seenFootage(await model.see(image, { name, index, timestampMs: timeMs })),
      failureOf(error) {
        if (isOfTheModel(error)) throw error;
        return { code: errorCode(error, 'failed'), message: errorMessage(error) };
      },
      atOnce: RUN_AT_ONCE,
      signal,
    });
    for await (const frame of ran) {
      this.#take(frame);
      const pausedMs = this.#ports.now();
      if (await this.#life.whilePaused(signal)) this.#startedMs += this.#ports.now() - pausedMs;
    }
  }

  #take(frame: FootageFrame): void {
    this.#fromMs ??= frame.timeMs;
    this.#frames.add(frame);
    this.#publish(false);
    if (this.#ports.now() - this.#keptMs >= KEPT_EVERY_MS) void this.#keep(false);
  }

  /** Keeps what is not kept yet. A disk that is full is told once, and the run goes on. */
  async #keep(isWhole: boolean): Promise<void> {
    if (!this.#reader || !this.#setup || this.#whyNotKept) return;
    const { fingerprint } = this.#reader;
    this.#keptMs = this.#ports.now();
    await this.#frames.keep({ fingerprint, setup: this.#setup, isWhole }).catch((error: unknown) => {
      this.#whyNotKept = errorMessage(error);
    });
  }

  /** Shows the results so far, at most four times a second unless it is the last time. */
  #publish(isLast: boolean): void {
    const nowMs = this.#ports.now();
    if (!isLast && nowMs - this.#publishedMs < PUBLISHED_EVERY_MS) return;
    this.#publishedMs = nowMs;
    const { count, last } = this.#frames;
    const fresh = count - this.#resumedCount;
    if (this.state.kind === 'running' && fresh > 0)
      this.#ran = { count: fresh, ms: nowMs - this.#startedMs, footageMs: last!.timeMs - (this.#fromMs ?? 0) };
    this.#count = count;
    this.#latest = last;
  }
}

/** An error that every other frame would meet too. */
const isOfTheModel = (error: unknown): boolean => ['no-model', 'changed', 'moved'].includes(errorCode(error));

function seenFootage({ stages, detections, classifications, problems }: FrameResult): SeenFootage {
  const [problem] = detections || classifications ? [] : problems;
  return {
    stages: stages.map(({ step, widthPx, heightPx, uncut }) => ({ step, widthPx, heightPx, ...(uncut && { uncut }) })),
    failure: problem ? { code: problem.code, message: problem.message } : null,
    detections,
    classifications,
  };
}
