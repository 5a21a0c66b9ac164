import { expect, it } from 'vitest';
import { parcelOf } from '../../../../../tests/contract/capture-entries.ts';
import { memoryCaptureStore } from '../../../../../tests/memory-capture-store.ts';
import { createCaptureBoxStore } from './capture-images.ts';

const cat = {
  label: 'cat',
  confidence: 0.5,
  xMinNormalized: 0,
  yMinNormalized: 0.1,
  xMaxNormalized: 0.5,
  yMaxNormalized: 1,
};

it('keeps what is corrected with the capture', async () => {
  const captures = memoryCaptureStore();
  await captures.put([parcelOf('a')]);
  const boxes = createCaptureBoxStore('a', { captures, randomId: () => 'new', nowMs: () => 7 });
  expect(await boxes.load()).toEqual([]);
  expect(await boxes.apply({ kind: 'add', key: 'k', box: cat }, null)).toBe('new');
  expect(await boxes.load()).toEqual([{ id: 'new', ...cat }]);
  const mine = { ...cat, label: 'dog', confidence: null };
  await boxes.apply({ kind: 'replace', key: 'k', id: 'new', box: mine }, null);
  expect(await boxes.load()).toEqual([{ id: 'new', ...mine }]);
  expect((await captures.get('a'))!.correctedAtMs).toBe(7);
  await boxes.apply({ kind: 'remove', key: 'k', id: 'new' }, null);
  expect(await boxes.load()).toEqual([]);
});

it('says that a capture is gone', async () => {
  const boxes = createCaptureBoxStore('a', { captures: memoryCaptureStore(), randomId: () => '', nowMs: () => 0 });
  await expect(boxes.load()).rejects.toMatchObject({ code: 'missing' });
  await expect(boxes.apply({ kind: 'add', key: 'k', box: cat }, null)).rejects.toMatchObject({ code: 'missing' });
});
