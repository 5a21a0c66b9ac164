import { describe, expect, it } from 'vitest';
import { isNamedBy, assignModels, type WantedModel } from './assign-models.ts';

const faces = { modelId: 'f', fileName: 'face-detector.onnx' };
const yolo = { modelId: 'y', fileName: 'yolo.onnx' };
const want = (service: string, path = ''): WantedModel => ({ service, path });
type Situation = Parameters<typeof assignModels>[0];

const assignedIn = (situation: Partial<Situation>, assigned: Record<string, string>, takenFor = {}) =>
  assignModels({
    inMemory: [faces, yolo],
    wanted: [],
    tuned: situation.wanted?.[0]?.service ?? '',
    isOther: false,
    ...situation,
    assignments: { assigned, takenFor },
  });

describe('assignModels', () => {
  it.each<
    [string, Partial<Situation>, Record<string, string>, Record<string, readonly string[]>, Record<string, string>]
  >([
    ['a renamed service keeps its model', { wanted: [want('b', '/x.onnx')] }, { a: 'y' }, {}, { b: 'y' }],
    ['a path that is edited does, too', { wanted: [want('a', '/other.onnx')] }, { a: 'y' }, {}, { a: 'y' }],
    ['a service beside it takes nothing', { wanted: [want('b'), want('a')] }, { a: 'y' }, {}, { a: 'y' }],
    ['one that lost its model takes none', { wanted: [want('a', '/yolo.onnx')] }, {}, {}, {}],
    [
      'another configuration runs no other model',
      { isOther: true, wanted: [want('b', '/x.onnx')] },
      { a: 'f' },
      {},
      {},
    ],
    ['… under the same name neither', { isOther: true, wanted: [want('a', '/x.onnx')] }, { a: 'f' }, {}, {}],
    [
      'it runs what its path names',
      { isOther: true, wanted: [want('b', 'C:\\m\\yolo.onnx')] },
      { a: 'f' },
      {},
      { b: 'y' },
    ],
    [
      '… and what was taken for it',
      { isOther: true, wanted: [want('b', '/x')] },
      { a: 'f' },
      { y: ['/x'] },
      { b: 'y' },
    ],
    [
      'it keeps running what is on the bench where it names nothing',
      { isOther: true, wanted: [want('b')] },
      { a: 'y' },
      {},
      { b: 'y' },
    ],
    ['and so does a bench without a service', { isOther: true, wanted: [] }, { a: 'y' }, {}, { '': 'y' }],
    [
      'its other services keep what fits',
      { isOther: true, wanted: [want('b', '/x'), want('a', '/yolo.onnx')] },
      { a: 'y' },
      {},
      { a: 'y' },
    ],
  ])('%s', (_, situation, assigned, takenFor, chosen) => {
    expect(assignedIn(situation, assigned, takenFor).assigned).toEqual(chosen);
  });

  it('notes what a model was taken for, through edits of its path, so that undo of an import brings it back', () => {
    const edited = assignedIn({ wanted: [want('a', '/x')] }, { a: 'y' });
    expect(edited.takenFor).toEqual({ y: ['/x'] });
    const again = assignedIn({ wanted: [want('a', '/z')] }, edited.assigned, edited.takenFor);
    expect(again.takenFor).toEqual({ y: ['/x', '/z'] });
    const imported = assignedIn({ isOther: true, wanted: [want('a', '/new')] }, again.assigned, again.takenFor);
    expect(imported.assigned).toEqual({});
    const undone = assignedIn({ isOther: true, wanted: [want('a', '/z')] }, imported.assigned, imported.takenFor);
    expect(undone.assigned).toEqual({ a: 'y' });
  });
});

it('knows what a path names', () => {
  expect(isNamedBy('${packages.ml}/yolo.onnx', 'yolo.onnx')).toBe(true);
  expect(isNamedBy('my-yolo.onnx', 'yolo.onnx')).toBe(false);
});
