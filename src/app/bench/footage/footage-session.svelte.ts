import { withoutSecrets } from '../../../config/without-secrets.ts';
import type { Change } from '../../../footage/changes.ts';
import { boxOnSource, keptResults, type FootageFrame } from '../../../footage/footage-frame.ts';
import { RunDigest } from '../../../footage/run-digest.ts';
import type { RunSetup } from '../../../footage/run-setup.ts';
import type { LabelTimeline } from '../../../footage/timeline.ts';
import type { FootageReader } from '../../../ports/footage-reader.ts';
import type { TransformStep } from '../../../config/machine-config.ts';
import { topClassifications } from '../../../vision/filter/filter-classifications.ts';
import { serviceFilter } from '../../../vision/filter/service-filter.ts';
import type { ServiceFilterRule } from '../../../vision/filter/thresholds.ts';
import type { BenchPlan } from '../../../../workers/vision/protocol.ts';
import type { ChainStep } from '../../../vision/camera-chain.ts';
import type { ConfigState } from '../config/config-state.svelte.ts';
import type { ModelsState } from '../models/models-state.svelte.ts';
import { resultsKey } from '../session/plan-in-force.svelte.ts';
import type { FootageOnBench } from '../sources/footage-on-bench.ts';
import type { FootagePorts } from './footage-ports.ts';
import { FootageRun } from './footage-run.svelte.ts';

/** Into how many parts of the time a timeline is cut at most. */
const MOST_BUCKETS = 480;
/** A count of boxes that lasts less is flicker; of pictures each counts. */
const HOLD_MS = 500;

/** What the results say under the thresholds in force. */
export interface DigestView {
  readonly labels: readonly LabelTimeline[];
  readonly changes: readonly Change[];
  readonly failedCount: number;
}

/** What a run uses of the bench. */
export interface SessionBench {
  readonly config: ConfigState;
  readonly models: ModelsState;
  readonly plan: BenchPlan;
  readonly serviceName: string;
  readonly steps: readonly ChainStep[];
}

/** A run over the footage on the bench, and what is shown of it. */
export class FootageSession {
  readonly footage: FootageOnBench;
  readonly run: FootageRun;
  readonly #bench: SessionBench;
  /** the digest that grows with the run, and the rule that it stands for */
  #digest: { readonly of: RunDigest; readonly rule: ServiceFilterRule; readonly first: FootageFrame | null } | null =
    null;
  /** number of the frame in the picture */
  #at = $state(0);
  /** until a person chose a moment, the picture follows the run */
  #follows = $state(true);

  constructor(footage: FootageOnBench, bench: SessionBench, ports: FootagePorts) {
    this.footage = footage;
    this.#bench = bench;
    this.run = new FootageRun({
      open: () =>
        footage.kind === 'video'
          ? ports.openVideo(footage.file, footage.name)
          : ports.openPictures(footage.name, footage.pictures),
      prepare: ports.prepare,
      setupOf: (reader) => setupOf(reader, bench, ports),
      store: ports.store,
      newId: ports.newId,
      now: () => performance.now(),
    });
  }

  /** The thresholds in force: those of the bench. */
  get rule(): ServiceFilterRule {
    return this.#bench.config.filter;
  }

  /** The steps that these results went through. */
  get steps(): readonly TransformStep[] {
    return this.run.setup?.steps ?? [];
  }

  readonly digest: DigestView = $derived.by(() => {
    const { count, frames, reader } = this.run;
    const { rule } = this;
    const first = frames[0] ?? null;
    if (this.#digest?.rule !== rule || this.#digest.first !== first || this.#digest.of.frameCount > count) {
      const toMs = Math.max(1, reader?.durationMs ?? 0);
      // A part without a frame would be a gap in the line.
      const bucketCount = Math.min(MOST_BUCKETS, Math.max(1, reader?.frameCount ?? Math.ceil(toMs / 50)));
      const span = { fromMs: 0, toMs, bucketCount };
      const holdMs = reader?.kind === 'video' ? HOLD_MS : 0;
      this.#digest = { of: new RunDigest(span, rule, holdMs), rule, first };
    }
    const digest = this.#digest.of;
    for (let at = digest.frameCount; at < count; at++) digest.add(frames[at]!);
    // The digest's own arrays grow: what is drawn is a copy, which is another object.
    const labels = digest.labels.map((one) => ({
      ...one,
      frames: one.frames.slice(),
      most: one.most.slice(),
      best: one.best.slice(),
    }));
    return { labels, changes: [...digest.changes], failedCount: digest.failures.length };
  });

  /** The digest itself, for reports. */
  get wholeDigest(): RunDigest {
    void this.digest;
    return this.#digest!.of;
  }

  /** The frame in the picture; null: none was run yet. */
  readonly moment: FootageFrame | null = $derived.by(() => {
    const { count, frames } = this.run;
    return frames[this.#follows ? count - 1 : Math.min(this.#at, count - 1)] ?? null;
  });

  /** Shows a frame by its place among those that were run. */
  goTo(at: number): void {
    this.#at = Math.max(0, Math.min(this.run.count - 1, at));
    this.#follows = false;
  }

  /** Shows the frame that is on show at a time. */
  goToTime(timeMs: number): void {
    this.goTo(this.#lastWhere((frame) => frame.timeMs <= timeMs));
  }

  /** Whether the picture follows the run. */
  get follows(): boolean {
    return this.#follows;
  }

  /** Place of a frame among those that were run: damaged ones are left out. */
  placeOf(index: number): number {
    return this.#lastWhere((frame) => frame.index <= index);
  }

  /** Place of the last frame for which something is so that is so for those before it. */
  #lastWhere(isSo: (frame: FootageFrame) => boolean): number {
    const { frames, count } = this.run;
    let [from, to] = [0, count];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (isSo(frames[middle]!)) from = middle + 1;
      else to = middle;
    }
    return from - 1;
  }

  /** Place of the frame in the picture. */
  get at(): number {
    return this.moment ? (this.#follows ? this.run.count - 1 : Math.min(this.#at, this.run.count - 1)) : 0;
  }

  /** The boxes of a frame that the thresholds keep, on the source picture, and its classes. */
  kept(frame: FootageFrame) {
    return keptOnSource(frame, this.steps, this.rule);
  }
}

export interface KeptOnSource {
  readonly boxes: readonly {
    readonly label: string;
    readonly score: number;
    /** 0..1 of the source picture */
    readonly xMin: number;
    readonly yMin: number;
    readonly xMax: number;
    readonly yMax: number;
  }[];
  readonly classes: readonly { readonly label: string; readonly score: number }[];
}

/** What the filter keeps of a frame, on its source picture. */
export function keptOnSource(
  frame: FootageFrame,
  steps: readonly TransformStep[],
  rule: ServiceFilterRule,
): KeptOnSource {
  const { detections, classifications } = keptResults(frame, serviceFilter(rule));
  const place = boxOnSource(frame, steps);
  const boxes = detections.flatMap(({ label, score, ...box }) => {
    const on = place(box);
    if (!on) return [];
    const { xMinNormalized: xMin, yMinNormalized: yMin, xMaxNormalized: xMax, yMaxNormalized: yMax } = on;
    return [{ label, score, xMin, yMin, xMax, yMax }];
  });
  return { boxes, classes: topClassifications(classifications, 3) };
}

async function setupOf(reader: FootageReader, bench: SessionBench, ports: FootagePorts): Promise<RunSetup> {
  const { config, models, plan, serviceName, steps } = bench;
  const hash = (text: string): Promise<string> => ports.sha256(new TextEncoder().encode(text));
  const assigned = Object.entries(plan.models).map(async ([service, { labels }]) => {
    const { fileName = '', sha256 = '', backend } = models.of(service) ?? {};
    return [
      service,
      { fileName, sha256, labelsSha256: await hash(JSON.stringify(labels)), ...(backend && { backend }) },
    ] as const;
  });
  return {
    version: ports.version,
    // Only slices of the file are hashed.
    source: {
      kind: reader.kind === 'video' ? 'video' : 'folder',
      name: reader.name,
      sha256: `slices:${reader.fingerprint}`,
    },
    serviceName,
    cameraName: config.cameraName,
    steps: steps.map(({ step }) => step),
    filter: config.filter,
    models: Object.fromEntries(await Promise.all(assigned)),
    configKey: await hash(resultsKey({ ...plan, cameraName: config.cameraName })),
    configText: withoutSecrets(config.parsed.document.text).text,
    choice: { every: 1, fromMs: 0, toMs: null, framesPerSecond: reader.kind === 'video' ? null : 1 },
  };
}
