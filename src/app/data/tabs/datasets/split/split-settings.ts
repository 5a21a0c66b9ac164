import type { SplitRatios } from '../../../../../evidence/datasets/face/formats.ts';
import { recall, remember, type MemoryPort } from '../../../../kit/memory/remembered.ts';

/** How a dataset is split. Stored in this browser; an export writes the result. */
export interface SplitSettings extends SplitRatios {
  /** null: no person chose, so the tags of the pictures decide */
  readonly isOn: boolean | null;
  /** Another seed shuffles differently. */
  readonly seed: string;
  /** Pictures of one source within this time of each other stay together; 0: off. */
  readonly burstSeconds: number;
  /** Near duplicates stay together; the property keeps its old name for stored settings. */
  readonly keepsAlike: boolean;
  /** Pictures of one day stay together. */
  readonly keepsDays: boolean;
  /** Frames of one sequence, by their tag, stay together: they look alike. */
  readonly keepsSequences: boolean;
  /** Pictures whose names differ only in the last number stay together, as frames of one video. */
  readonly keepsVideos: boolean;
  /** Each label has the same share in every split. */
  readonly isStratified: boolean;
  /** Pictures tagged train, val or test keep their split. */
  readonly followsTags: boolean;
}

export const defaultSplit: SplitSettings = {
  isOn: null,
  train: 80,
  val: 10,
  test: 10,
  seed: '1',
  burstSeconds: 2,
  keepsAlike: true,
  keepsDays: false,
  keepsSequences: true,
  keepsVideos: false,
  isStratified: true,
  followsTags: true,
};

const keyOf = (datasetId: string): string => `split-${datasetId}`;

export function recallSplit(memory: MemoryPort, datasetId: string): SplitSettings {
  const before = recall(memory, keyOf(datasetId));
  if (typeof before !== 'object' || before === null) return defaultSplit;
  const settings: SplitSettings = { ...defaultSplit };
  for (const key of Object.keys(defaultSplit) as (keyof SplitSettings)[]) {
    const value = (before as Record<string, unknown>)[key];
    const isOfType = typeof value === typeof (defaultSplit[key] ?? true);
    if (isOfType) Object.assign(settings, { [key]: value });
  }
  return isUsable(settings) ? settings : defaultSplit;
}

export function rememberSplit(memory: MemoryPort, datasetId: string, settings: SplitSettings): void {
  remember(memory, keyOf(datasetId), settings);
}

/** Whether shares are 0 or more with one above 0, and the time is 0 or more. */
export function isUsable({ train, val, test, burstSeconds }: SplitSettings): boolean {
  const numbers = [train, val, test, burstSeconds];
  return numbers.every((value) => Number.isFinite(value) && value >= 0) && train + val + test > 0;
}
