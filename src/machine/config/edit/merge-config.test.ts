import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addRecorder } from './edit-recorder.ts';
import { setDefaultConfidence } from './edit-config.ts';
import { removeAt, setAt } from '../json/edit-json.ts';
import { mergeConfig } from './merge-config.ts';
import { sampleConfigText as base } from '../share/sample-config.ts';

const value = (text: string) => JSON.parse(text) as unknown;
const service = (name: string, attributes: object = {}) => ({ name, api: 'a', model: 'm', attributes });
const texts = (...services: readonly object[]) => JSON.stringify({ services });

describe('mergeConfig', () => {
  it('applies a threshold beside what they changed, and leaves their characters alone', () => {
    const theirs = base.replace('"components"', '"revision":   "7",\n  "components"');
    const mine = setDefaultConfidence(base, 'detector', 0.42);
    const merged = mergeConfig(base, theirs, mine)!;
    expect(merged.both).toEqual([]);
    expect(merged.text).toContain('"revision":   "7",\n');
    expect(value(merged.text)).toEqual({ ...(value(mine) as object), revision: '7' });
  });

  it.each<[title: string, base: string, theirs: string, mine: string, text: string, both: readonly string[]]>([
    ['nothing changed here', texts(service('a')), texts(service('b')), texts(service('a')), texts(service('b')), []],
    ['nothing changed there', texts(service('a')), texts(service('a')), texts(), texts(), []],
    [
      'one added on each side',
      texts(service('a')),
      texts(service('t'), service('a')),
      texts(service('a'), service('m')),
      texts(service('t'), service('a'), service('m')),
      [],
    ],
    [
      'the same added on both sides',
      texts(),
      texts(service('a', { x: 1 })),
      texts(service('a', { x: 1 })),
      texts(service('a', { x: 1 })),
      [],
    ],
    [
      'one of the same name added on both sides',
      texts(),
      texts(service('a', { x: 1 })),
      texts(service('a', { x: 2 })),
      texts(service('a', { x: 2 })),
      ['services › a'],
    ],
    [
      'one changed at two places',
      texts(service('a', { x: 1, y: 1 })),
      texts(service('a', { x: 2, y: 1 })),
      texts(service('a', { x: 1, y: 2, z: 3 })),
      texts(service('a', { x: 2, y: 2, z: 3 })),
      [],
    ],
    [
      'one changed at the same place',
      texts(service('a', { x: 1 })),
      texts(service('a', { x: 2 })),
      texts(service('a', { x: 3 })),
      texts(service('a', { x: 3 })),
      ['services › a › attributes › x'],
    ],
    [
      'a member removed here, and changed there',
      texts(service('a', { x: 1, y: 1 })),
      texts(service('a', { x: 2, y: 1 })),
      texts(service('a', { y: 1 })),
      texts(service('a', { y: 1 })),
      ['services › a › attributes › x'],
    ],
    [
      'one changed here that they removed',
      texts(service('a', { x: 1 }), service('b')),
      texts(service('b')),
      texts(service('a', { x: 2 }), service('b')),
      texts(service('b'), service('a', { x: 2 })),
      ['services › a'],
    ],
    [
      'one that they removed, unchanged here',
      texts(service('a'), service('b', { x: 1 })),
      texts(service('b', { x: 1 })),
      texts(service('a'), service('b', { x: 2 })),
      texts(service('b', { x: 2 })),
      [],
    ],
    [
      'two removed here, one of which they changed, and one that they added',
      texts(service('a'), service('b'), service('c')),
      texts(service('a'), service('t'), service('b', { x: 1 }), service('c')),
      texts(service('c')),
      texts(service('t'), service('c')),
      ['services › b'],
    ],
    [
      'a list without names, changed here',
      texts(service('a', { steps: [1, 2], x: 1 })),
      texts(service('a', { steps: [1, 2], x: 2 })),
      texts(service('a', { steps: [2], x: 1 })),
      texts(service('a', { steps: [2], x: 2 })),
      [],
    ],
    [
      'a list without names, changed on both sides',
      texts(service('a', { steps: [1, 2] })),
      texts(service('a', { steps: [1, 2, 3] })),
      texts(service('a', { steps: [2] })),
      texts(service('a', { steps: [2] })),
      ['services › a › attributes › steps'],
    ],
    [
      'a name that occurs twice: the list is one value',
      texts(service('a'), service('a')),
      texts(service('a'), service('a')),
      texts(service('a')),
      texts(service('a')),
      [],
    ],
  ])('%s', (_, before, theirs, mine, text, both) => {
    const merged = mergeConfig(before, theirs, mine)!;
    expect([value(merged.text), merged.both]).toEqual([value(text), both]);
  });

  it('adds a recorder where they added a service, each once', () => {
    const settings = { name: 'watch', threshold: 0.05, rateHz: 1, camera: 'tuned-camera' };
    const mine = addRecorder(base, 'detector', settings);
    const theirs = setAt(base, ['services', 0, 'name'], 'renamed');
    const merged = mergeConfig(base, theirs, mine)!;
    const names = (JSON.parse(merged.text) as { services: { name: string }[] }).services.map(({ name }) => name);
    expect(names.filter((name) => name === 'watch')).toHaveLength(1);
    expect(names).toContain('renamed');
  });

  it.each(['[]', '{', '1', '{"services": }'])('merges nothing with %s', (bad) => {
    expect(mergeConfig(bad, base, base)).toBeNull();
    expect(mergeConfig(base, bad, base)).toBeNull();
    expect(mergeConfig(base, base, bad)).toBeNull();
  });

  it('gives mine where they changed nothing, and theirs where I changed nothing', () => {
    const path = fc.constantFrom<(string | number)[][]>(
      ['services', 0, 'attributes', 'default_minimum_confidence'],
      ['services', 1, 'name'],
      ['components', 0],
      ['extra'],
    );
    const change = fc.tuple(path, fc.oneof(fc.constant(undefined), fc.jsonValue({ maxDepth: 1 })));
    const changed = (changes: readonly (readonly [(string | number)[], unknown])[]) =>
      changes.reduce((text, [at, to]) => {
        try {
          return to === undefined ? removeAt(text, at) : setAt(text, at, to);
        } catch {
          return text; // a path that an earlier change took away
        }
      }, base);
    fc.assert(
      fc.property(fc.array(change, { maxLength: 3 }), (changes) => {
        const other = changed(changes);
        const [mine, theirs] = [mergeConfig(base, base, other)!, mergeConfig(base, other, base)!];
        const sorted = (text: string) => {
          const { services, components, ...rest } = value(text) as Record<string, unknown>;
          const order = (list: unknown) =>
            Array.isArray(list) ? list.map((item) => JSON.stringify(item)).toSorted() : list;
          return { rest, services: order(services), components: order(components) };
        };
        expect(sorted(mine.text)).toEqual(sorted(other));
        expect([theirs.text, theirs.both, mine.both]).toEqual([other, [], []]);
      }),
      { seed: 41, numRuns: 200 },
    );
  });
});
