import { expect, it } from 'vitest';
import { parcelOf } from '../../../../../tests/contract/capture-entries.ts';
import { memoryCaptureStore } from '../../../../../tests/memory-capture-store.ts';
import type { Capture } from '../../../../evidence/capture/capture.ts';
import { captureTruth } from './capture-truth.ts';

const { signal } = new AbortController();

const box = (label: string, confidence: number | null) => ({
  id: label,
  label,
  confidence,
  xMinNormalized: 0,
  yMinNormalized: 0,
  xMaxNormalized: 0.5,
  yMaxNormalized: 0.5,
});

function capture(id: string, changes: Partial<Capture>) {
  const parcel = parcelOf(id);
  return { ...parcel, capture: { ...parcel.capture, ...changes } };
}

it('is the captures whose boxes a person corrected, oldest first', async () => {
  const captures = memoryCaptureStore();
  const truth = captureTruth(async () => captures);
  await captures.put([parcelOf('1')]);
  expect(await truth.sets(signal)).toEqual([]);
  const boxes = [box('cat', null), box('dog', 0.5)];
  await captures.put([capture('2', { correctedAtMs: 5, boxes }), capture('3', { correctedAtMs: 5 })]);
  expect(await truth.sets(signal)).toEqual([{ id: 'captures', name: 'Captures that were corrected' }]);
  const images = await truth.images('captures', signal);
  expect(images.map(({ id }) => id)).toEqual(['2', '3']);
  expect(images[0]!.boxes.map(({ label, isModelMade }) => [label, isModelMade])).toEqual([
    ['cat', false],
    ['dog', true],
  ]);
  const bytes = await truth.bytes('captures', ['3', 'gone'], signal);
  expect([...bytes].map(([id, content]) => [id, new TextDecoder().decode(content)])).toEqual([['3', 'pixels of 3']]);
  expect(truth.editorHref('captures', '3')).toBe('#/data/outbox/3/edit');
});

it('counts frames of one video, and live frames of one minute that nobody chose, as one unit', async () => {
  const captures = memoryCaptureStore();
  const live = { kind: 'live', name: 'webcam', index: 0, timestampMs: 0 } as const;
  const video = { kind: 'file', name: 'yard.mp4', index: 7, timestampMs: 0 } as const;
  const at = (id: string, changes: Partial<Capture>) => capture(id, { correctedAtMs: 1, ...changes });
  await captures.put([
    at('1', { source: video }),
    at('2', { source: { ...video, index: 9 } }),
    at('3', { source: live }),
    at('4', { source: live, reason: { kind: 'burst' }, timeRequestedMs: 61_000 }),
    at('5', { source: live, reason: { kind: 'burst' }, timeRequestedMs: 119_000 }),
    at('6', { source: live, reason: { kind: 'burst' }, timeRequestedMs: 121_000 }),
  ]);
  const images = await captureTruth(async () => captures).images('captures', signal);
  const [one, two, three, four, five, six] = images.map(({ sequence }) => sequence);
  expect([one === two, one === '', three, four === five, four === six]).toEqual([true, false, '', true, false]);
});
