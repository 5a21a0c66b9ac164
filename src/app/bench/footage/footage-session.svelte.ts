import { withoutSecrets } from '../../../machine/config/face/edits.ts';
import { usualHoldMs } from '../../../evidence/footage/changes.ts';
import { boxOnSource, keptResults, type FootageFrame } from '../../../evidence/footage/footage-frame.ts';
import type { DigestedRun } from '../../../evidence/footage/run-digest.ts';
import type { RunSetup } from '../../../evidence/footage/run-setup.ts';
import type { FootageReader } from '../../../platform/ports/footage-reader.ts';
import type { TransformStep } from '../../../machine/config/face/machine-config.ts';
import { LatestWins } from '../../../base/schedule/latest-wins.ts';
import { errorMessage } from '../../../machine/vision/face/errors.ts';
import { serviceFilter, type ServiceFilterRule, topClassifications } from '../../../machine/vision/face/filters.ts';
import type { BenchPlan } from '../../../../workers/vision/protocol.ts';
import type { ChainStep } from '../../../machine/vision/face/cameras.ts';
import type { ConfigState } from '../config/config-state.svelte.ts';
import type { ModelsState } from '../models/models-state.svelte.ts';
import { renamableService, rowsKey } from '../session/rows-key.ts';
import type { FootageOnBench } from '../sources/footage-on-bench.ts';
import { findWholeRun } from './find-whole-run.ts';
import { FootageDigest, type DigestOrder } from './footage-digest.svelte.ts';
import type { FootagePorts } from './footage-ports.ts';
import { TimelineRows } from './timeline-rows.ts';
import { FootageRun, type FootageRunPorts } from './footage-run.svelte.ts';
import type { RunFrames } from './run-frames.ts';

/** Into how many parts of the time a timeline is cut at most. */
const MOST_BUCKETS = 480;

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
  readonly #ports: FootagePorts;
  /** What the results say under the thresholds in force, as far as `digestAll` came. */
  readonly digest = new FootageDigest(() => performance.now());
  readonly #rows = new TimelineRows();
  /** The labels over time, in rows; `others` are those of which nothing is kept. */
  readonly timelines = $derived.by(() => this.#rows.part(this.digest.labels));
  /** the frame that a person chose, of which frames */
  #chosen = $state.raw<{ readonly frame: FootageFrame; readonly of: RunFrames } | null>(null);
  #fault = $state('');
  readonly #choosing = new LatestWins(
    async (find: (frames: RunFrames) => Promise<FootageFrame | null>) => {
      const { frames } = this.run;
      try {
        const frame = await find(frames);
        if (frame) this.#chosen = { frame, of: frames };
        this.#fault = '';
      } catch (error) {
        this.#fault = errorMessage(error);
      }
    },
    () => undefined,
  );

  constructor(footage: FootageOnBench, bench: SessionBench, ports: FootagePorts) {
    this.footage = footage;
    this.#bench = bench;
    this.#ports = ports;
    this.run = new FootageRun({
      open: () =>
        footage.kind === 'video'
          ? ports.openVideo(footage.file, footage.name)
          : ports.openPictures(footage.name, footage.pictures),
      prepare: ports.prepare,
      setupOf: (reader) => setupOf(reader, bench, ports),
      names: () => namesOf(bench),
      store: ports.store,
      newId: ports.newId,
      now: () => performance.now(),
    });
  }

  /** How long a count of boxes must last to be a change, ms. In a video, a shorter one is flicker; in a folder, each picture counts. */
  get holdMs(): number {
    return this.footage.kind === 'video' ? usualHoldMs : 0;
  }

  /** The thresholds in force: those of the bench. */
  get rule(): ServiceFilterRule {
    return this.#bench.config.filter;
  }

  /** The steps that these results went through. */
  get steps(): readonly TransformStep[] {
    return this.run.setup?.steps ?? [];
  }

  /** Digests what is not digested yet. null: other thresholds came meanwhile, or results could not be read back. */
  digestAll(): Promise<DigestedRun | null> {
    return this.digest.follow(this.#order);
  }

  readonly #order: DigestOrder = $derived.by(() => {
    const { frames, reader } = this.run;
    const toMs = Math.max(1, reader?.durationMs ?? 0);
    // A part without a frame would be a gap in the line.
    const bucketCount = Math.min(MOST_BUCKETS, Math.max(1, reader?.frameCount ?? Math.ceil(toMs / 50)));
    return { frames, rule: this.rule, span: { fromMs: 0, toMs, bucketCount }, holdMs: this.holdMs };
  });

  /** Until a person chose a moment, the picture follows the run. */
  readonly follows: boolean = $derived.by(() => this.#chosen?.of !== this.run.frames);

  /** The frame in the picture; null: none was run yet. */
  readonly moment: FootageFrame | null = $derived.by(() => (this.follows ? this.run.latest : this.#chosen!.frame));

  /** Shows the frame of a number, or the last one before it that was run. */
  goTo(index: number): Promise<unknown> {
    return this.#choosing.offer((frames) => frames.upTo(index));
  }

  /** Shows the frame that is on show at a time. */
  goToTime(timeMs: number): Promise<unknown> {
    return this.#choosing.offer((frames) => frames.at(timeMs));
  }

  /** Shows the next frame that was run, or the one before. */
  step(direction: 1 | -1): Promise<unknown> {
    const index = this.moment?.index ?? 0;
    return direction > 0 ? this.#choosing.offer((frames) => frames.behind(index)) : this.goTo(index - 1);
  }

  /** Why results could not be read back; '': they could. */
  get fault(): string {
    return this.#fault || this.digest.fault;
  }

  /**
   * What another service said of all of the footage, through the same camera and as it is configured now; null: nothing that is kept.
   * @throws BrowserStoreError
   */
  async framesOf(serviceName: string): Promise<RunFrames | null> {
    const { reader } = this.run;
    if (!reader) return null;
    const plan = { ...this.#bench.plan, visionName: serviceName };
    const { config, models, steps } = this.#bench;
    const setup = await setupOf(reader, { config, models, steps, plan, serviceName }, this.#ports);
    return findWholeRun(this.#ports.store, reader.fingerprint, setup);
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

function namesOf({ plan }: SessionBench): ReturnType<FootageRunPorts['names']> {
  const service = renamableService(plan);
  return service === null ? null : { service, labels: plan.models[service]!.labels };
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
    configKey: await hash(rowsKey({ ...plan, cameraName: config.cameraName })),
    configText: withoutSecrets(config.parsed.document.text).text,
    choice: { every: 1, fromMs: 0, toMs: null, framesPerSecond: reader.kind === 'video' ? null : 1 },
  };
}
