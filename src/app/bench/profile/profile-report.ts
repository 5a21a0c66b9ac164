import type { ModelProfile } from '../../../../workers/model-profile/client.ts';
import type { ModelDescription } from '../../../../workers/vision/protocol.ts';
import type { FrameTimes } from '../../../models/profile/frame-times.ts';
import { operatorAdvice } from '../../../models/profile/operator-advice.ts';
import type { PackedBy } from './stage-words.ts';

/** The environment of the measurements. */
export interface ProfileSetting {
  readonly takenAtMs: number;
  readonly browser: string;
  readonly cores: number;
  readonly source: string;
  /**
   * what packs the model's input: on a GPU without a timer, the packing time is that of issuing its commands, and
   * its work counts as inference
   */
  readonly packsOn: PackedBy;
  readonly model: ModelDescription | null;
  readonly operators: ModelProfile | null;
}

/**
 * The profile as JSON: statistics, the times of every frame in ms, and the model's operators if it was profiled.
 */
export function profileReport(
  times: FrameTimes,
  { takenAtMs, browser, cores, source, packsOn, model, operators }: ProfileSetting,
): string {
  const statistics = times.statistics();
  const report = {
    format: 'sightglass-profile',
    version: 1,
    takenAt: new Date(takenAtMs).toISOString(),
    browser,
    cores,
    source,
    packsOn,
    model: model && { fileName: model.fileName, sha256: model.sha256, backend: model.backend },
    frames: statistics && { ...statistics, each: times.list() },
    operators: operators && { ...operators, advice: operatorAdvice(operators, operators) },
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}
