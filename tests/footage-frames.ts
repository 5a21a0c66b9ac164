import type { FootageFrame } from '../src/evidence/footage/footage-frame.ts';
import { pageOf } from '../src/evidence/footage/pack-frames.ts';
import type { RunSetup } from '../src/evidence/footage/run-setup.ts';
import type { FootageStore, KeptRun } from '../src/platform/ports/footage-store.ts';

const labels = ['cat', 'dog'];

/** A frame of 100×50 px with rows of label and score; row i has its box at i, i, i + 10, i + 20. Ten frames are a second. */
export function footageFrame(
  index: number,
  rows: readonly (readonly [label: 'cat' | 'dog', score: number])[],
  also: Partial<FootageFrame> = {},
): FootageFrame {
  return {
    index,
    timeMs: index * 100,
    name: 'clip.mp4',
    stages: [{ step: -1, widthPx: 100, heightPx: 50 }],
    failure: null,
    detections: {
      count: rows.length,
      labels,
      labelIndex: Uint32Array.from(rows, ([label]) => labels.indexOf(label)),
      score: Float64Array.from(rows, ([, score]) => score),
      box: Int32Array.from(rows.flatMap((_, at) => [at, at, at + 10, at + 20])),
      frameWidthPx: 100,
      frameHeightPx: 50,
      boxSpace: 'proportional',
      droppedNaN: 0,
    },
    classifications: null,
    ...also,
  };
}

/** A frame of a classifier. */
export const classifiedFrame = (index: number, scores: Readonly<Record<string, number>>): FootageFrame =>
  footageFrame(index, [], {
    detections: null,
    classifications: { labels: Object.keys(scores), score: Float64Array.from(Object.values(scores)) },
  });

export const failedFrame = (index: number): FootageFrame =>
  footageFrame(index, [], { detections: null, stages: [], failure: { code: 'bad-jpeg', message: 'it ends early' } });

export const runSetup: RunSetup = {
  version: '1.0.0',
  source: { kind: 'video', name: 'clip.mp4', sha256: 'a'.repeat(64) },
  serviceName: 'pets',
  cameraName: null,
  steps: [],
  filter: { defaultMinimumConfidence: 0.5, labelConfidences: {} },
  models: { pets: { fileName: 'pets.onnx', sha256: 'b'.repeat(64), labelsSha256: 'c'.repeat(64) } },
  configKey: 'd'.repeat(64),
  configText: '{}',
  choice: { every: 1, fromMs: 0, toMs: null, framesPerSecond: null },
};

/** Runs in memory, and which of their pages were read. */
export function memoryFootageStore() {
  const kept = new Map<string, { run: KeptRun; frames: FootageFrame[] }>();
  const read: number[] = [];
  const store: FootageStore = {
    runs: async (fingerprint) =>
      [...kept.values()].map(({ run }) => run).filter((run) => run.fingerprint === fingerprint),
    append: async (run, frames) => {
      kept.set(run.id, { run, frames: [...(kept.get(run.id)?.frames ?? []), ...structuredClone(frames)] });
    },
    page: async (id, page) => {
      read.push(page);
      const frames = kept.get(id)?.frames;
      return frames ? structuredClone(frames.filter(({ index }) => pageOf(index) === page)) : null;
    },
  };
  return { ...store, kept, read };
}
