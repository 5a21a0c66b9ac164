import type {
  BenchComparison,
  Difference,
  FrameVerdict,
} from '../../../../evidence/capture/bench-file/compare-bench.ts';

/** The result of a comparison in one sentence. */
export function verdictText({ verdict, frames }: BenchComparison): string {
  if (frames.length === 0) return 'The bench has no frames to compare.';
  const those = frames.filter((frame) => frame.verdict === verdict).length;
  const counted = frames.length === 1 ? 'The frame' : `${those} of ${frames.length} frames`;
  switch (verdict) {
    case 'same':
      return frames.length === 1
        ? 'The frame gives exactly the same results here.'
        : `All ${frames.length} frames give exactly the same results here.`;
    case 'close':
      return 'The rows are the same here. Their numbers differ by less than a change of backend may cause.';
    case 'different':
      return `${counted} ${those === 1 ? 'gives' : 'give'} other results here.`;
    case 'failed':
      return `${counted} did not run here.`;
  }
}

export const verdictWords: Readonly<Record<FrameVerdict, string>> = {
  same: 'the same',
  close: 'close',
  different: 'different',
  failed: 'did not run',
};

export const differenceWords: Readonly<Record<Difference['what'], string>> = {
  version: 'Sightglass',
  host: 'Runs in',
  backend: 'Backend',
  model: 'Model (SHA-256)',
  configuration: 'Configuration',
};

/** The comparison as `sightglass replay` prints it: one JSON object a line. */
export function comparisonLines(
  { verdict, differences, frames }: BenchComparison,
  bench: string,
  savedAtMs: number,
): string {
  const head = { bench, verdict, savedAt: new Date(savedAtMs).toISOString(), differences };
  return [head, ...frames].map((line) => JSON.stringify(line)).join('\n');
}
