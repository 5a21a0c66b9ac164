import { describe, expect, it } from 'vitest';
import { headFactors } from './head-factors.ts';
import { firstArithmetic } from './input-normalization.ts';
import { headReader } from './model-structure.ts';
import { makersIn, sourceOf } from './source-of.ts';

const node = (opType: string, input: readonly string[], output: string) => ({ opType, input, output: [output] });

describe('sourceOf', () => {
  const nodes = [node('Conv', ['x', 'weights'], 'a'), node('Cast', ['a'], 'b'), node('Reshape', ['b', 'sizes'], 'c')];

  it.each([
    ['through all that hand on', 'c', ['Cast', 'Reshape'], 'a'],
    ['no further than these', 'c', ['Reshape'], 'b'],
    ['nowhere', 'c', ['Cast'], 'c'],
    ['from an input nowhere', 'x', ['Cast'], 'x'],
  ])('goes %s', (_, tensor, handing, source) => {
    expect(sourceOf(tensor, makersIn(nodes), ({ opType }) => handing.includes(opType))).toBe(source);
  });

  it('ends at a node without inputs', () => {
    expect(sourceOf('a', makersIn([node('Cast', [], 'a')]), () => true)).toBe('a');
  });
});

describe('operators that form a circle, in a broken file', () => {
  const circle = [node('Reshape', ['b'], 'a'), node('Reshape', ['a'], 'b')];
  const graph = { nodes: [...circle, node('Mul', ['x', 'a'], 'out')], valuesOf: () => null };

  it('have no constant, join nothing, and normalise nothing', () => {
    expect(headFactors(graph, 'out', () => false)).toEqual([]);
    expect(headReader(graph).partsOf('a')).toEqual([]);
    expect(firstArithmetic({ nodes: circle, valuesOf: () => null }, 'a')).toBeNull();
  });
});
