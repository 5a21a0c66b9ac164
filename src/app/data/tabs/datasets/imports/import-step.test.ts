import { expect, it } from 'vitest';
import { noCounts, requireStep, type ImportStep } from './import-step.ts';

const counts = noCounts(3);
const steps: readonly ImportStep[] = [
  { kind: 'choose' },
  { kind: 'opening', imageCount: 0 },
  { kind: 'refused', message: '' },
  { kind: 'preview' },
  { kind: 'importing', counts },
  { kind: 'done', counts, datasetId: null, isJoin: true, isStopped: false },
  { kind: 'undoing', fraction: 0 },
  { kind: 'undone', failure: '' },
];

it.each<[Parameters<typeof requireStep>[0], readonly ImportStep['kind'][]]>([
  ['open', ['importing', 'undoing']],
  ['read', ['choose', 'opening', 'importing', 'done', 'undoing', 'undone']],
  ['start', ['choose', 'opening', 'refused', 'importing', 'done', 'undoing', 'undone']],
  ['again', ['choose', 'opening', 'refused', 'preview', 'importing', 'undoing', 'undone']],
  ['undo', ['choose', 'opening', 'refused', 'preview', 'importing', 'undoing', 'undone']],
])('refuses "%s" at every other step', (action, refused) => {
  const refusedAt = steps.filter((step) => {
    try {
      requireStep(action, step);
      return false;
    } catch {
      return true;
    }
  });
  expect(refusedAt.map(({ kind }) => kind)).toEqual(refused);
});
