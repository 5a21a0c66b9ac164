import { expect, it } from 'vitest';
import { parcelOf } from '../../../../../tests/contract/capture-entries.ts';
import { memoryCaptureStore } from '../../../../../tests/memory-capture-store.ts';
import type { Capture } from '../../../../evidence/capture/capture.ts';
import type { FootageOnBench } from '../../sources/footage-on-bench.ts';
import { correctedFrames } from './corrected-frames.ts';

const box = (label: string) => ({
  id: label,
  label,
  confidence: null,
  xMinNormalized: 0,
  yMinNormalized: 0,
  xMaxNormalized: 0.5,
  yMaxNormalized: 0.5,
});
const video: FootageOnBench = { kind: 'video', name: 'door.mp4', file: new Blob() };
const picture = (name: string) => ({ name, blob: async () => new Blob() });

type Given = readonly [id: string, name: string, index: number, labels: readonly string[], also?: Partial<Capture>];

async function storeOf(...given: readonly Given[]) {
  const store = memoryCaptureStore();
  for (const [id, name, index, labels, also] of given) {
    const parcel = parcelOf(id);
    const source = { kind: 'live', name, index, timestampMs: index * 100 } as const;
    const corrected = { source, boxes: labels.map(box), correctedAtMs: 1, ...also };
    await store.put([{ ...parcel, capture: { ...parcel.capture, ...corrected } }]);
  }
  return store;
}

it('finds the frames of a video that were corrected, each as it was captured last', async () => {
  const store = await storeOf(
    ['1', 'door.mp4', 3, ['cat']],
    ['2', 'door.mp4', 3, ['cat', 'dog']],
    ['3', 'door.mp4', 5, [], { classes: [{ id: 'c', label: 'day', confidence: null }] }],
    ['4', 'door.mp4', 7, ['cat'], { correctedAtMs: null }],
    ['5', 'other.mp4', 3, ['cat']],
  );
  expect(await correctedFrames(store, video)).toEqual([
    { name: 'door.mp4', timeMs: 500, boxes: [], classes: ['day'] },
    { name: 'door.mp4', timeMs: 300, boxes: ['cat', 'dog'], classes: [] },
  ]);
});

it('finds pictures of a folder by their names, wherever they stood, unless two have one name', async () => {
  const pictures = ['a.jpg', 'b.jpg', 'twice.jpg', 'twice.jpg'].map(picture);
  const store = await storeOf(['1', 'b.jpg', 9, ['cat']], ['2', 'twice.jpg', 0, ['cat']], ['3', 'gone.jpg', 1, []]);
  const found = await correctedFrames(store, { kind: 'pictures', name: '4 pictures', pictures });
  expect(found.map(({ name }) => name)).toEqual(['b.jpg']);
});

it('reads all pages of captures', async () => {
  const many = Array.from({ length: 501 }, (_, at): Given => [String(at).padStart(4, '0'), 'door.mp4', at, ['cat']]);
  expect(await correctedFrames(await storeOf(...many), video)).toHaveLength(501);
});
