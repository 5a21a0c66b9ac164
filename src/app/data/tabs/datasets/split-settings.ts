import type { SplitRatios } from '../../../../datasets/split-dataset.ts';
import { recall, remember, type MemoryPort } from '../../../kit/memory/remembered.ts';

/** How a dataset is split. Kept in this browser; an export writes what comes of it. */
export interface SplitSettings extends SplitRatios {
  /** null = nobody has said; then as its pictures are tagged */
  readonly isOn: boolean | null;
  /** Another one shuffles anew. */
  readonly seed: string;
  /** Pictures of one source that follow each other within this time stay together; 0 = each by itself. */
  readonly burstSeconds: number;
  /** Near duplicates stay together; the name is that of settings kept before. */
  readonly keepsAlike: boolean;
  /** Pictures of one day stay together. */
  readonly keepsDays: boolean;
  /** Frames of one sequence, by their tag, stay together: they look alike. */
  readonly keepsSequences: boolean;
  /** Pictures whose names differ in the last number only stay together, as frames of one video. */
  readonly keepsVideos: boolean;
  /** Each label has its share in every split. */
  readonly isStratified: boolean;
  /** Pictures that are tagged train, val or test stay where they are. */
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

/** Shares of 0 or more, one above it; a time of 0 or more. */
export function isUsable({ train, val, test, burstSeconds }: SplitSettings): boolean {
  const numbers = [train, val, test, burstSeconds];
  return numbers.every((value) => Number.isFinite(value) && value >= 0) && train + val + test > 0;
}
