import { captureOf } from './capture-of.ts';
import {
  countBytes,
  observeFrame,
  startPolicy,
  stopPolicy,
  type CapturePolicy,
  type PolicyState,
} from './capture-policy.ts';
import { BurstJoin } from './burst-join.ts';
import type { CaptureWriter } from './capture-writer.ts';
import type { Capture, CaptureReason } from './capture.ts';
import type { FilteredResult } from './filtered-result.ts';
import type { FrameRef } from './frame-ref.ts';
import type { KeptImage } from './kept-image.ts';
import { observationOf } from './observation-of.ts';
import { readingOf, type Reading } from './readings.ts';

export interface RecorderPorts {
  readonly writer: CaptureWriter;
  /** Encodes the exact source frame of a result; null: it is gone. */
  readonly capture: (frame: FrameRef) => Promise<KeptImage | null>;
  /** Keeps every live frame from now on; returns the function that ends it. */
  readonly startBurst: (onFrame: (kept: KeptImage) => void, onFailure: (error: unknown) => void) => () => Promise<void>;
  /** The tags of a frame; `burstStartedMs` null: it is not part of a burst. */
  readonly tagsOf: (kept: KeptImage, burstStartedMs: number | null) => readonly string[];
  readonly sha256: (bytes: Uint8Array<ArrayBuffer>) => Promise<string>;
  readonly randomId: () => string;
  /** ms since 1970 */
  readonly nowMs: () => number;
  /** Called when any of the recorder's counts changed. */
  readonly onChange: () => void;
  readonly onFailure: (error: unknown) => void;
  /** Called once at the end of a burst with the number of frames it kept. */
  readonly onBurstEnd?: (keptFrames: number) => void;
}

class CaptureError extends Error {
  override readonly name = 'CaptureError';
  readonly code = 'frame-gone';
}

interface RunningBurst {
  readonly untilMs: number;
  readonly end: () => Promise<void>;
  readonly joins: BurstJoin;
  keptFrames: number;
}

/** How many rows are buffered at most. */
const mostReadings = 100_000;

/** Captures frames: on request, by rules, in bursts. The page reads the counts after each `onChange`. */
export class CaptureRecorder {
  readonly #ports: RecorderPorts;
  #policy: CapturePolicy | null = null;
  #policyState: PolicyState | null = null;
  #burst: RunningBurst | null = null;
  #readings: Reading[] | null = null;
  readonly #configHashes = new Map<string, Promise<string>>();

  constructor(ports: RecorderPorts) {
    this.#ports = ports;
  }

  /** The state of the rules; null: none were started. */
  get policyState(): PolicyState | null {
    return this.#policyState;
  }

  /** null: no burst is running */
  get burst(): { readonly untilMs: number; readonly keptFrames: number } | null {
    return this.#burst;
  }

  get readingsCount(): number {
    return this.#readings?.length ?? 0;
  }

  get takesReadings(): boolean {
    return this.#readings !== null;
  }

  /**
   * Captures the frame of a result; resolves when it is durable.
   * @throws CaptureError; CaptureStoreError, and then the writer still has the capture
   */
  async keep(result: FilteredResult, reason: CaptureReason = { kind: 'person' }): Promise<Capture> {
    const kept = await this.#ports.capture(result.frame);
    if (!kept)
      throw new CaptureError(`The frame ${result.frame.index} of ${result.frame.name} is gone; newer ones came.`);
    return this.#write(kept, result, reason);
  }

  /** Call it for every result, in the task that receives it: the worker holds the frame only for a moment. */
  observe(result: FilteredResult): void {
    this.#readings?.push(readingOf({ ...result, ...measuredOf(result) }));
    if (this.#readings && this.#readings.length > mostReadings) this.#readings.shift();
    this.#burst?.joins.seen(result);
    this.#applyRules(result);
    this.endBurstOnTime();
  }

  startRules(policy: CapturePolicy): void {
    this.#policy = policy;
    this.#policyState = startPolicy(policy);
    this.#ports.onChange();
  }

  stopRules(): void {
    if (this.#policyState) this.#policyState = stopPolicy(this.#policyState);
    this.#ports.onChange();
  }

  /** Captures every frame for `durationMs`; extends a burst that is running. */
  startBurst(durationMs: number): void {
    const untilMs = this.#ports.nowMs() + durationMs;
    const running = this.#burst;
    const startedMs = this.#ports.nowMs();
    this.#burst = running
      ? { ...running, untilMs }
      : {
          untilMs,
          joins: new BurstJoin((kept, result) => void this.#writeOfBurst(kept, result, startedMs)),
          keptFrames: 0,
          end: this.#ports.startBurst(
            (kept) => this.#takeFromBurst(kept, startedMs),
            (error) => this.#ports.onFailure(error),
          ),
        };
    this.#ports.onChange();
  }

  /** Ends a burst whose time is over. Call it also without results, as while a video is paused. */
  endBurstOnTime(): void {
    if (this.#burst && this.#ports.nowMs() >= this.#burst.untilMs) void this.stopBurst();
  }

  /** Resolves when every frame of the burst was given to the writer, even if the source has ended. */
  async stopBurst(): Promise<void> {
    const burst = this.#burst;
    try {
      await burst?.end();
    } catch (error) {
      this.#ports.onFailure(error);
    }
    burst?.joins.flush();
    if (burst && this.#burst?.joins === burst.joins) {
      this.#ports.onBurstEnd?.(this.#burst.keptFrames);
      this.#burst = null;
    }
    this.#ports.onChange();
  }

  /** Starts or stops making a row of every result. */
  takeReadings(wanted: boolean): void {
    this.#readings = wanted ? (this.#readings ?? []) : null;
    this.#ports.onChange();
  }

  /** Returns the buffered rows and empties the buffer. */
  drainReadings(): readonly Reading[] {
    const rows = this.#readings ?? [];
    if (this.#readings) this.#readings = [];
    this.#ports.onChange();
    return rows;
  }

  #applyRules(result: FilteredResult): void {
    const policy = this.#policy;
    if (!policy || !this.#policyState || this.#policyState.stopped) return;
    const { state, because } = observeFrame(policy, this.#policyState, observationOf(result, this.#ports.nowMs()));
    this.#policyState = state;
    this.#ports.onChange();
    if (because.length === 0) return;
    this.keep(result, { kind: 'rules', rules: because }).then(
      ({ image }) => {
        if (this.#policy === policy && this.#policyState) {
          this.#policyState = countBytes(policy, this.#policyState, image.sizeBytes);
          this.#ports.onChange();
        }
      },
      (error: unknown) => {
        this.stopRules(); // a full disk would refuse the next one too
        this.#ports.onFailure(error);
      },
    );
  }

  #takeFromBurst(kept: KeptImage, startedMs: number): void {
    if (!this.#burst) return void this.#writeOfBurst(kept, null, startedMs);
    this.#burst.keptFrames++;
    this.#burst.joins.kept(kept);
  }

  async #writeOfBurst(kept: KeptImage, result: FilteredResult | null, startedMs: number): Promise<void> {
    await this.#write(kept, result, { kind: 'burst' }, startedMs).catch((error: unknown) =>
      this.#ports.onFailure(error),
    );
  }

  async #write(
    kept: KeptImage,
    result: FilteredResult | null,
    reason: CaptureReason,
    burstStartedMs: number | null = null,
  ): Promise<Capture> {
    const { writer, randomId, nowMs, tagsOf } = this.#ports;
    const tags = tagsOf(kept, burstStartedMs);
    const configSha256 = result ? await this.#hashOf(result.setup.configText) : '';
    const parcel = captureOf(kept, result, { reason, tags, randomId, configSha256, nowMs: nowMs() });
    await writer.keep(parcel);
    this.#ports.onChange();
    return parcel.capture;
  }

  #hashOf(configText: string): Promise<string> {
    const known = this.#configHashes.get(configText);
    if (known) return known;
    const hash = this.#ports.sha256(new TextEncoder().encode(configText));
    this.#configHashes.clear(); // one configuration is in force at a time
    this.#configHashes.set(configText, hash);
    return hash;
  }
}

function measuredOf({ frame, receivedAtMs, raw }: FilteredResult) {
  const { takenAtMs = receivedAtMs, ...source } = frame;
  return {
    source: { ...source, kind: 'live' as const },
    timeRequestedMs: takenAtMs,
    timeReceivedMs: receivedAtMs,
    rawCount: raw.detections?.count ?? null,
  };
}
