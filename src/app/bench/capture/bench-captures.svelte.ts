import type { CaptureStoreError } from '../../../evidence/capture/capture-store.ts';
import type { CapturePolicy, PolicyState } from '../../../evidence/capture/capture-policy.ts';
import { CaptureRecorder } from '../../../evidence/capture/capture-recorder.ts';
import { captureOf } from '../../../evidence/capture/capture-of.ts';
import { CaptureWriter } from '../../../evidence/capture/capture-writer.ts';
import type { Capture, CaptureParcel } from '../../../evidence/capture/capture.ts';
import type { FilteredResult } from '../../../evidence/capture/filtered-result.ts';
import type { FrameRef } from '../../../evidence/capture/frame-ref.ts';
import type { KeptImage } from '../../../evidence/capture/kept-image.ts';
import type { VisionClient } from '../../../../workers/vision/client/vision-client.ts';
import { fileNameOf } from '../../../remote/outbox/file-name.ts';
import { SourceError, type StillFrame } from '../../../platform/ports/frame-source.ts';
import type { FrameResult } from '../../../../workers/vision/protocol.ts';
import { errorMessage } from '../../../machine/vision/face/errors.ts';
import type { CapturedBench } from './captured-bench.ts';
import { onceEach } from '../results/label-lists.ts';
import { PendingDelete } from '../../kit/edits/pending-delete.svelte.ts';
import type { CaptureHost } from '../../captures/capture-host.ts';
import type { KeptCaptures } from '../../captures/kept-captures.ts';
import { KeptList } from '../../captures/kept-list.svelte.ts';
import { filteredResult } from './filter-result.ts';
import { ReadingsQueue } from './readings-queue.svelte.ts';
import { RulesForm } from './rules-form.svelte.ts';
import { sequenceTags } from './sequence-tags.ts';
import { whyNoFrames } from '../sources/why-no-frames.ts';

export interface CaptureFault {
  readonly message: string;
  readonly cure: string;
}

/** A frame that was just captured. */
export interface JustKept {
  readonly capture: Capture;
  readonly thumbnail: Blob | null;
  /** number of captures in this browser, this one included */
  readonly count: number;
}

/** Captures frames of the bench (on request, by rules, in bursts), and holds the captures. */
export class BenchCaptures implements KeptCaptures {
  readonly #bench: CapturedBench;
  readonly #vision: Pick<VisionClient, 'capture' | 'startBurst' | 'onResult'>;
  readonly #recorder: CaptureRecorder;
  readonly #writer: CaptureWriter;
  readonly host: CaptureHost;
  readonly list: KeptList;
  readonly rules: RulesForm;
  readonly readings: ReadingsQueue;
  /** Images that were requested before the recorder was loaded. */
  readonly #asked = new WeakMap<FrameRef, Promise<KeptImage | null>>();
  #figures = $state.raw<RecorderFigures>(noFigures);
  fault = $state.raw<CaptureFault | null>(null);
  just = $state.raw<JustKept | null>(null);
  /** The rules that are running, or ran last. */
  policy = $state.raw<CapturePolicy | null>(null);
  /** The last announcement for screen readers. */
  said: string = $state('');
  readonly deletion: PendingDelete;

  constructor(
    bench: CapturedBench,
    vision: Pick<VisionClient, 'capture' | 'startBurst' | 'onResult'>,
    host: CaptureHost,
  ) {
    this.#bench = bench;
    this.#vision = vision;
    this.host = host;
    this.list = new KeptList(host.captures);
    this.rules = new RulesForm(bench.memory);
    this.#writer = new CaptureWriter(host.captures, () => this.#tell());
    this.#recorder = new CaptureRecorder({
      writer: this.#writer,
      capture: (frame) => this.#asked.get(frame) ?? vision.capture(frame),
      startBurst: (onFrame, onFailure) => vision.startBurst(onFrame, onFailure),
      tagsOf: sequenceTags,
      sha256: host.sha256,
      randomId: host.randomId,
      nowMs: host.nowMs,
      onChange: () => this.#tell(),
      onFailure: (error) => this.#fail(error),
      onBurstEnd: (keptFrames) => this.#burstEnded(keptFrames),
    });
    this.readings = new ReadingsQueue(this.#recorder, host.outbox, (error) => this.#fail(error));
    this.deletion = new PendingDelete({
      announce: (sentence) => (this.said = sentence),
      remove: (ids) => host.captures.remove(ids),
      now: () => performance.now(),
      tick(run) {
        const timer = setInterval(run, 250);
        return () => clearInterval(timer);
      },
    });
    vision.onResult((result) => {
      if (this.#isWatching) this.#recorder.observe(this.#filtered(result));
    });
    void this.list.refresh();
  }

  get knownLabels(): readonly string[] {
    const { labels, serviceName, thresholds } = this.#bench;
    return onceEach([...thresholds.seen.labels, ...(labels.of(serviceName) ?? [])]);
  }
  get rulesRun(): boolean {
    return this.policyState !== null && this.policyState.stopped === null;
  }
  /** The state of the rules; null: none were started since the page was opened. */
  get policyState(): PolicyState | null {
    return this.#figures.policyState;
  }
  get burst(): RecorderFigures['burst'] {
    return this.#figures.burst;
  }
  /** Captures that could not be stored: kept in memory until they are retried, downloaded or discarded. */
  get unsaved(): readonly CaptureParcel[] {
    return this.#figures.unsaved;
  }
  /** Number of captures that are being stored. */
  get waitingCount(): number {
    return this.#figures.waitingCount;
  }

  dismissFault(): void {
    this.fault = null;
  }
  dismissJust(): void {
    this.just = null;
  }

  /** Captures the frame of a result. A notice follows when it is durable, or when it could not be stored. */
  async keep(result: FrameResult, image?: Promise<KeptImage | null>): Promise<Capture | null> {
    const filtered = this.#filtered(result);
    if (image) this.#asked.set(filtered.frame, image);
    this.host.keepStorage();
    this.fault = null;
    try {
      const capture = await this.#recorder.keep(filtered);
      const [thumbnail, count] = await Promise.all([
        this.host.captures.thumbnail(capture.id),
        this.host.captures.count(),
      ]);
      this.just = { capture, thumbnail, count };
      return capture;
    } catch (error) {
      this.#fail(error);
      return null;
    }
  }

  /** The capture of a result's frame, without storing it; null: the frame is gone. */
  async parcelOf(result: FrameResult): Promise<CaptureParcel | null> {
    const filtered = this.#filtered(result);
    const kept = await this.#vision.capture(result.frame);
    if (!kept) return null;
    const { sha256, randomId, nowMs } = this.host;
    const configSha256 = await sha256(new TextEncoder().encode(filtered.setup.configText));
    return captureOf(kept, filtered, {
      reason: { kind: 'person' },
      tags: sequenceTags(kept, null),
      randomId,
      configSha256,
      nowMs: nowMs(),
    });
  }

  async showOnStage(ids: readonly string[]): Promise<void> {
    const found = await Promise.all(ids.map((id) => this.host.captures.get(id)));
    const frames = found.flatMap((capture) => (capture ? [this.#stillOf(capture)] : []));
    if (frames.length === 0) return;
    const { areas, sources } = this.#bench;
    areas.go(areas.href('bench'));
    await sources.showStills(frames);
  }

  #stillOf(capture: Capture): StillFrame {
    const name = fileNameOf(capture);
    return {
      name,
      blob: async () => {
        const content = await this.host.captures.content(capture.id);
        if (!content) throw new SourceError('not-readable', `${name} is no longer kept.`, 'Choose another capture.');
        return content;
      },
    };
  }

  startRules(policy: CapturePolicy): void {
    this.fault = null;
    this.host.keepStorage();
    this.policy = policy;
    this.#recorder.startRules(policy);
  }

  stopRules(): void {
    this.#recorder.stopRules();
  }

  startBurst(durationMs: number): void {
    this.fault = null;
    this.host.keepStorage();
    this.#recorder.startBurst(durationMs);
    setTimeout(() => this.#recorder.endBurstOnTime(), durationMs);
  }

  stopBurst(): Promise<void> {
    return this.#recorder.stopBurst();
  }

  /** A burst that captured nothing says so, and how to get frames. */
  #burstEnded(keptFrames: number): void {
    if (keptFrames > 0 || this.fault) return;
    const { sources } = this.#bench;
    const cure = whyNoFrames(sources) || 'Wait until frames are on the stage, then start it again.';
    this.fault = { message: `The burst captured nothing: ${sources.title} gave no frame.`, cure };
  }

  /** Retries the captures that could not be stored. */
  async retry(): Promise<void> {
    this.fault = null;
    await this.#writer.retry().catch((error: unknown) => this.#fail(error));
  }

  discard(id: string): void {
    this.#writer.discard(id);
    if (this.unsaved.length === 0) this.fault = null;
  }

  get #isWatching(): boolean {
    const { policyState, burst, takesReadings } = this.#recorder;
    return takesReadings || burst !== null || (policyState !== null && policyState.stopped === null);
  }

  #filtered(result: FrameResult): FilteredResult {
    return filteredResult(result, {
      ...this.#bench.madeWith(result),
      topCount: this.#bench.results.topCount,
      nowMs: this.host.nowMs(),
    });
  }

  #tell(): void {
    const { policyState, burst } = this.#recorder;
    const { unsaved, waitingCount } = this.#writer;
    this.#figures = { policyState, burst: burst && { ...burst }, unsaved, waitingCount };
  }

  #fail(error: unknown): void {
    const message = errorMessage(error);
    const code = (error as Partial<CaptureStoreError> | null)?.code;
    this.fault = { message, cure: cures[code ?? ''] ?? '' };
  }
}

interface RecorderFigures {
  readonly policyState: PolicyState | null;
  readonly burst: { readonly untilMs: number; readonly keptFrames: number } | null;
  readonly unsaved: readonly CaptureParcel[];
  readonly waitingCount: number;
}

const noFigures: RecorderFigures = { policyState: null, burst: null, unsaved: [], waitingCount: 0 };

const cures: Readonly<Record<string, string>> = {
  full: 'Delete captures or stored data that are no longer needed, then try again; or download the frame.',
  unavailable: 'Try again; private windows may keep nothing. The frame can be downloaded.',
  'newer-schema': 'Reload the page: a newer version of it uses the storage.',
  'frame-gone': 'Pause the video or the webcam, then capture the frame.',
};
