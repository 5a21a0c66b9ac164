import type { ModelProfile, ProfileTask } from '../../../../workers/model-profile/client.ts';
import type { FrameResult, ModelDescription } from '../../../../workers/vision/protocol.ts';
import type { VisionClient } from '../../../../workers/vision/client/vision-client.ts';
import type { PackedBy } from './stage-words.ts';
import { FrameTimes, type FrameStatistics, type PageMarks } from '../../../models/profile/frame-times.ts';

/** What frames run through: times measured under other conditions are not part of the statistics. */
interface ProfileConditions {
  /** the current source */
  readonly source: () => string;
  /** the model that runs, with its backend */
  readonly model: () => ModelDescription | null;
}

/** Runs a model in a worker of its own. @throws the signal's reason when it aborts */
export type ProfileModel = (
  task: ProfileTask,
  onProgress: (fraction: number) => void,
  signal: AbortSignal,
) => Promise<ModelProfile>;

/** What a run of the model's operators needs. */
export interface OperatorPorts extends Pick<VisionClient, 'modelFeeds'> {
  readonly profileModel: ProfileModel;
}

/** The times of the frames on the stage. They are always recorded, and shown while the dialog is open. */
export class ProfileState {
  readonly times = new FrameTimes();
  readonly ports: OperatorPorts;
  readonly #conditions: ProfileConditions;
  isOpen: boolean = $state.raw(false);
  /** The statistics at the last `refresh`; null: no frame was seen. */
  statistics = $state.raw<FrameStatistics | null>(null);
  /** What packed the model's input for the measured frames. */
  packsOn = $state.raw<PackedBy>('cpu');
  #source = '';
  #model: ModelDescription | null = null;

  constructor(
    conditions: ProfileConditions,
    client: Pick<VisionClient, 'modelFeeds' | 'onResult'>,
    profileModel: ProfileModel,
  ) {
    this.#conditions = conditions;
    this.ports = { modelFeeds: () => client.modelFeeds(), profileModel };
    client.onResult((result) => this.#take(result));
  }

  open(): void {
    this.refresh();
    this.isOpen = true;
  }

  close(): void {
    this.isOpen = false;
  }

  /** Brings the statistics up to date. */
  refresh(): void {
    this.statistics = this.times.statistics();
  }

  #take(result: FrameResult): void {
    if (!hasMarks(result)) return;
    const [source, model] = [this.#conditions.source(), this.#conditions.model()];
    const packsOn = result.placement ? packedBy(result) : this.packsOn;
    if (source !== this.#source || !isSameRun(model, this.#model) || packsOn !== this.packsOn) this.times.clear();
    this.#source = source;
    this.#model = model;
    this.packsOn = packsOn;
    this.times.answered(result.timings, result);
  }
}

/** Whether it is the same model on the same backend; other facts, such as its speed, may have changed meanwhile. */
export function isSameRun(one: ModelDescription | null, other: ModelDescription | null): boolean {
  return one?.modelId === other?.modelId && one?.backend === other?.backend;
}

function packedBy({ placement, timings }: FrameResult): PackedBy {
  if (placement?.packing.where !== 'gpu') return 'cpu';
  return timings.isGpuTimed ? 'timed gpu' : 'gpu';
}

const hasMarks = (result: FrameResult): result is FrameResult & PageMarks => result.answeredAtMs !== undefined;
