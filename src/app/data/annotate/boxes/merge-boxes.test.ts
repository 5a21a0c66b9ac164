import { describe, expect, it } from 'vitest';
import type { ImageBox, LabelledBox } from '../../../../evidence/capture/capture.ts';
import type { AnnotatedBox } from './annotated-box.ts';
import { afterOperation, operationsBetween, type KeptBox } from './box-operations.ts';
import { decided, mergeBoxes } from './merge-boxes.ts';

const value = (label: string, part: Partial<LabelledBox> = {}): LabelledBox => ({
  label,
  xMinNormalized: 0.1,
  yMinNormalized: 0.1,
  xMaxNormalized: 0.5,
  yMaxNormalized: 0.5,
  confidence: null,
  ...part,
});
const saved = (id: string, label: string, part: Partial<LabelledBox> = {}): ImageBox => ({ id, ...value(label, part) });
const mine = (key: string, label: string, part: Partial<AnnotatedBox> = {}): AnnotatedBox => ({
  key,
  predicted: false,
  ...value(label, part),
  ...part,
});
const kept = (...boxes: readonly ImageBox[]): KeptBox[] => boxes.map((box) => ({ key: box.id, saved: box }));

describe('operationsBetween', () => {
  const before = kept(saved('a', 'cup'), saved('b', 'cup', { confidence: 0.9 }));
  const same = before.map(({ key, saved: { id: _, ...box } }): AnnotatedBox => ({ ...box, key, predicted: false }));

  it('is nothing where nothing changed', () => {
    expect(operationsBetween(before, same)).toEqual([]);
  });

  it.each<[string, AnnotatedBox[], string[]]>([
    ['a new box', [...same, mine('n', 'mug')], ['add n']],
    ['a prediction that nobody accepted', [...same, mine('n', 'mug', { predicted: true })], []],
    ['a box without a label', [...same, mine('n', '')], []],
    ['another label', [mine('a', 'mug'), same[1]!], ['update a']],
    ['another confidence', [same[0]!, mine('b', 'cup', { confidence: 0.7 })], ['update b']],
    ['a confidence that is gone', [same[0]!, mine('b', 'cup')], ['replace b']],
    ['a label taken away', [mine('a', ''), same[1]!], []],
    ['a box removed', [same[1]!], ['remove a']],
    ['a track begun', [mine('a', 'cup', { track: { id: 1, isKey: true, isLast: false } }), same[1]!], ['update a']],
    ['a box between key frames', [...same, mine('n', 'cup', { track: { id: 1, isKey: false, isLast: false } })], []],
    [
      'a key frame taken away',
      [mine('a', 'cup', { track: { id: 1, isKey: false, isLast: false } }), same[1]!],
      ['remove a'],
    ],
    ['an acceptance undone', [mine('a', 'cup', { predicted: true }), same[1]!], ['remove a']],
  ])('%s', (_, boxes, expected) => {
    expect(operationsBetween(before, boxes).map(({ kind, key }) => `${kind} ${key}`)).toEqual(expected);
  });

  it('leads to a service that keeps what is here', () => {
    const boxes = [mine('a', 'mug'), mine('b', 'cup'), mine('n', 'new')];
    let now: readonly KeptBox[] = [...before, ...kept(saved('c', 'gone'))];
    for (const operation of operationsBetween(now, boxes)) now = afterOperation(now, operation, `id ${operation.key}`);
    expect(operationsBetween(now, boxes)).toEqual([]);
    expect(now.map(({ saved: { id } }) => id).sort()).toEqual(['id a', 'id b', 'id n']);
  });
});

describe('mergeBoxes', () => {
  const base = kept(saved('a', 'cup'));

  it.each<[string, AnnotatedBox[], ImageBox[], { changes: string[]; conflicts: string[]; operations: string[] }]>([
    [
      'nobody changed anything',
      [mine('a', 'cup')],
      [saved('a', 'cup')],
      { changes: [], conflicts: [], operations: [] },
    ],
    ['only here', [mine('a', 'mug')], [saved('a', 'cup')], { changes: [], conflicts: [], operations: ['update a'] }],
    ['only there', [mine('a', 'cup')], [saved('a', 'pot')], { changes: ['a pot'], conflicts: [], operations: [] }],
    ['both alike', [mine('a', 'mug')], [saved('a', 'mug')], { changes: [], conflicts: [], operations: [] }],
    [
      'both differently',
      [mine('a', 'mug')],
      [saved('a', 'pot')],
      { changes: [], conflicts: ['mug or pot'], operations: ['update a'] },
    ],
    ['removed here', [], [saved('a', 'cup')], { changes: [], conflicts: [], operations: ['remove a'] }],
    ['removed there', [mine('a', 'cup')], [], { changes: ['a gone'], conflicts: [], operations: [] }],
    ['removed by both', [], [], { changes: [], conflicts: [], operations: [] }],
    [
      'changed here, removed there',
      [mine('a', 'mug')],
      [],
      { changes: [], conflicts: ['mug or gone'], operations: ['update a'] },
    ],
    [
      'removed here, changed there',
      [],
      [saved('a', 'pot')],
      { changes: [], conflicts: ['gone or pot'], operations: ['remove a'] },
    ],
    [
      'new there',
      [mine('a', 'cup')],
      [saved('a', 'cup'), saved('b', 'new')],
      { changes: ['b new'], conflicts: [], operations: [] },
    ],
    [
      'new here',
      [mine('a', 'cup'), mine('n', 'new')],
      [saved('a', 'cup')],
      { changes: [], conflicts: [], operations: ['add n'] },
    ],
    [
      'an add whose answer was lost',
      [mine('a', 'cup'), mine('n', 'new')],
      [saved('a', 'cup'), saved('b', 'new')],
      { changes: [], conflicts: [], operations: [] },
    ],
  ])('%s', (_, boxes, service, expected) => {
    const merge = mergeBoxes(base, boxes, service);
    expect({
      changes: merge.changes.map(({ key, box }) => `${key} ${box?.label ?? 'gone'}`),
      conflicts: merge.conflicts.map((one) => `${one.mine?.label ?? 'gone'} or ${one.theirs?.label ?? 'gone'}`),
      operations: operationsBetween(
        merge.kept,
        merge.changes.reduce<AnnotatedBox[]>(
          (now, { key, box }) => [...now.filter((one) => one.key !== key), ...(box ? [box] : [])],
          boxes,
        ),
      ).map(({ kind, key }) => `${kind} ${key}`),
    }).toEqual(expected);
  });

  it.each<[string, AnnotatedBox[], ImageBox[], string[]]>([
    [
      'arrived, and was changed here since',
      [mine('a', 'cup'), mine('n', 'newer')],
      [saved('a', 'cup'), saved('b', 'new')],
      ['update n'],
    ],
    ['arrived, and was removed here since', [mine('a', 'cup')], [saved('a', 'cup'), saved('b', 'new')], ['remove n']],
    ['did not arrive', [mine('a', 'cup'), mine('n', 'new')], [saved('a', 'cup')], ['add n']],
  ])('a box that was sent %s', (_, boxes, service, expected) => {
    const { kept: known, changes } = mergeBoxes(base, boxes, service, [{ kind: 'add', key: 'n', box: value('new') }]);
    expect([changes, operationsBetween(known, boxes).map(({ kind, key }) => `${kind} ${key}`)]).toEqual([[], expected]);
  });

  it('finishes a replacement of which the first half arrived', () => {
    const boxes = [mine('a', 'cup', { xMinNormalized: 0 })];
    const sent = [{ kind: 'replace' as const, key: 'a', id: 'a', box: value('cup', { xMinNormalized: 0 }) }];
    const service = [saved('a', 'cup'), saved('b', 'cup', { xMinNormalized: 0 })];
    const merge = mergeBoxes(base, boxes, service, sent);
    expect(merge.conflicts).toEqual([]);
    expect(operationsBetween(merge.kept, boxes)).toEqual([{ kind: 'remove', key: 'replaced a', id: 'a' }]);
  });

  it('knows an update of its own, and a removal, although nobody answered', () => {
    const update = { kind: 'update' as const, key: 'a', id: 'a', box: value('pot') };
    const changedSince = mergeBoxes(base, [mine('a', 'mug')], [saved('a', 'pot')], [update]);
    expect([changedSince.conflicts, changedSince.changes]).toEqual([[], []]);
    const undone = mergeBoxes(base, [mine('a', 'cup')], [], [{ kind: 'remove', key: 'a', id: 'a' }]);
    expect([undone.changes, operationsBetween(undone.kept, [mine('a', 'cup')]).map(({ kind }) => kind)]).toEqual([
      [],
      ['add'],
    ]);
  });

  it('takes a twin once: two equal new boxes here need two there', () => {
    const boxes = [mine('n', 'new'), mine('m', 'new')];
    const merge = mergeBoxes([], boxes, [saved('b', 'new')]);
    expect(operationsBetween(merge.kept, boxes)).toHaveLength(1);
  });

  it.each<[AnnotatedBox[], ImageBox[], string[]]>([
    [[mine('a', 'mug')], [saved('a', 'pot')], ['update']],
    [[mine('a', 'mug')], [], ['add']],
    [[], [saved('a', 'pot')], ['remove']],
  ])('once mine is kept there is one thing to do', (boxes, service, expected) => {
    const { kept: known, conflicts } = mergeBoxes(base, boxes, service);
    expect(operationsBetween(decided(known, conflicts[0]!), boxes).map(({ kind }) => kind)).toEqual(expected);
  });
});
