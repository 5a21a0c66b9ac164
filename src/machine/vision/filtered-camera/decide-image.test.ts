import { describe, expect, it } from 'vitest';
import { decideImage, type ScoredLabel } from './decide-image.ts';
import type { FilterRule, FilterService } from './filter-rule.ts';

const service = (vision: string, maps: Partial<FilterService>): FilterService => ({
  vision,
  inhibit: false,
  classifications: {},
  objects: {},
  ...maps,
});
const ruleOf = (...services: FilterService[]): FilterRule => ({
  camera: 'cam',
  inhibitors: services.filter(({ inhibit }) => inhibit),
  acceptors: services.filter(({ inhibit }) => !inhibit),
  beforeMs: 0,
  afterMs: 1000,
  cooldownMs: 0,
  imageFrequencyHz: 1,
  ringSize: 3,
});
const dog = (score: number): ScoredLabel => ({ label: 'dog', score });
const detect = (...detections: ScoredLabel[]) => ({ detections, classifications: null });

describe('decideImage', () => {
  it.each([
    ['a score above its line', { dog: 0.5 }, [dog(0.51)], ['dog']],
    ['a score on its line', { dog: 0.5 }, [dog(0.5)], []],
    ['another label', { cat: 0.1 }, [dog(0.9)], []],
    ['another case', { Dog: 0.1 }, [dog(0.9)], []],
    ['any label', { '*': 0.5 }, [dog(0.6)], ['*']],
    ['any label, on its line', { '*': 0.5 }, [dog(0.5)], []],
    ['its own line before that of any', { '*': 0.1, dog: 0.2 }, [dog(0.3)], ['dog']],
    ['that of any, where it fails its own', { dog: 0.9, '*': 0.2 }, [dog(0.3)], ['*']],
    ['a line of 0, at 0', { dog: 0 }, [dog(0)], []],
    ['the label of an inherited member', { dog: 0.5 }, [{ label: 'constructor', score: 1 }], []],
  ])('%s', (_, objects, detections, keys) => {
    const { verdict, matches } = decideImage(ruleOf(service('eyes', { objects })), { eyes: detect(...detections) });
    expect(matches.map(({ key }) => key)).toEqual(keys);
    expect(verdict).toBe(keys.length > 0 ? 'accepted' : 'nothing');
  });

  it('names all that match, with their places', () => {
    const eyes = service('eyes', { objects: { dog: 0.5 } });
    const decision = decideImage(ruleOf(eyes), { eyes: detect(dog(0.6), dog(0.1), dog(0.9)) });
    expect(decision).toEqual({
      verdict: 'accepted',
      service: eyes,
      kind: 'objects',
      matches: [
        { ...dog(0.6), at: 0, key: 'dog' },
        { ...dog(0.9), at: 2, key: 'dog' },
      ],
    });
  });

  it('asks inhibiting services first, wherever they stand', () => {
    const [eyes, ears] = [
      service('eyes', { objects: { dog: 0.5 } }),
      service('ears', { objects: { dog: 0.8 }, inhibit: true }),
    ];
    const decide = (score: number) =>
      decideImage(ruleOf(eyes, ears), { eyes: detect(dog(0.9)), ears: detect(dog(score)) });
    expect(decide(0.9)).toMatchObject({ verdict: 'inhibited', service: ears });
    expect(decide(0.8)).toMatchObject({ verdict: 'accepted', service: eyes });
  });

  it('asks classifications before objects, and the next service where none matches', () => {
    const rule = ruleOf(
      service('a', { classifications: { dog: 0.5 }, objects: { dog: 0.5 } }),
      service('b', { objects: { dog: 0.5 } }),
    );
    const decide = (...scores: readonly [number, number, number]) => {
      const a = { classifications: [dog(scores[0])], detections: [dog(scores[1])] };
      const { service: by, kind } = decideImage(rule, { a, b: detect(dog(scores[2])) });
      return `${by?.vision} ${kind}`;
    };
    expect(decide(1, 1, 1)).toBe('a classifications');
    expect(decide(0, 1, 1)).toBe('a objects');
    expect(decide(0, 0, 1)).toBe('b objects');
    expect(decide(0, 0, 0)).toBe('undefined null');
  });

  it('lets everything through that is not inhibited, without an accepting service', () => {
    const rule = ruleOf(service('eyes', { objects: { dog: 0.5 }, inhibit: true }));
    const nobody = { service: null, kind: null, matches: [] };
    expect(decideImage(rule, { eyes: detect() })).toEqual({ verdict: 'accepted', ...nobody });
    expect(decideImage(rule, { eyes: detect(dog(1)) }).verdict).toBe('inhibited');
  });

  it('does not ask a service without lines, which lets nothing through', () => {
    expect(decideImage(ruleOf(service('eyes', {})), {}).verdict).toBe('nothing');
  });

  it('fails where a service that is asked does not answer, or lacks the ability', () => {
    const [objects, both] = [
      service('eyes', { objects: { dog: 0.5 } }),
      service('eyes', { classifications: { dog: 0.5 }, objects: { dog: 0.5 } }),
    ];
    expect(decideImage(ruleOf(objects), {})).toMatchObject({ verdict: 'failed', service: objects, kind: 'objects' });
    expect(decideImage(ruleOf(both), { eyes: detect(dog(1)) })).toMatchObject({
      verdict: 'failed',
      kind: 'classifications',
    });
  });
});
