import { describe, expect, it } from 'vitest';
import { operatorAdvice } from './operator-advice.ts';
import { summarizeRuns } from './operator-times.ts';

type Node = readonly [operator: string, ms: number, onGpu?: boolean];

function adviceOn(nodes: readonly Node[], backend: 'wasm' | 'webgpu' = 'wasm', isIsolated = true) {
  const times = summarizeRuns([
    { ms: 100, nodes: nodes.map(([operator, ms, onGpu = false], at) => ({ node: `n${at}`, operator, ms, onGpu })) },
  ]);
  return operatorAdvice(times, { backend, isIsolated });
}
const titles = (...given: Parameters<typeof adviceOn>) => adviceOn(...given).map(({ title }) => title);

describe('advice on the operators of a model', () => {
  it('names the one that takes the most, and what helps', () => {
    const [first, ...others] = adviceOn([
      ['Conv', 15],
      ['Resize', 61],
      ['Sigmoid', 24],
    ]);
    expect(first!.title).toBe('This model spends 61 % in Resize.');
    expect(first!.words).toContain('export the model without it');
    expect(others).toEqual([]);
  });

  it('sums operators up that are slow for the same reason', () => {
    expect(
      titles([
        ['FusedConv', 20],
        ['Conv', 10],
        ['Conv', 10],
        ['Mul', 11],
        ['Add', 8],
        ['Exp', 7],
        ['Erf', 6],
        ['Reshape', 14],
        ['Concat', 14],
      ]),
    ).toEqual([
      'This model spends 40 % in FusedConv and Conv.',
      'This model spends 32 % in Mul, Add, Exp and the like.',
    ]);
  });

  it('names an operator that nothing is known to help against', () => {
    expect(
      adviceOn([
        ['Einsum', 60],
        ['Conv', 20],
        ['Conv', 20],
      ])[0],
    ).toEqual({ title: 'This model spends 60 % in Einsum.', words: '' });
  });

  it('says that one of many takes most', () => {
    expect(
      titles([
        ['Conv', 60],
        ['Conv', 20],
        ['Conv', 20],
      ]),
    ).toEqual(['This model spends 100 % in Conv.', 'One operator takes 60 %: n0.']);
  });

  it('says what the CPU does for a model on the GPU', () => {
    const nodes: Node[] = [
      ['Conv', 50, true],
      ['Conv', 29, true],
      ['TopK', 21],
    ];
    expect(titles(nodes, 'webgpu')).toContain('21 % of it runs on the CPU, though the model is on the GPU.');
    expect(titles(nodes, 'wasm').join()).not.toContain('on the CPU');
    expect(
      titles(
        [
          ['Conv', 91, true],
          ['TopK', 9],
        ],
        'webgpu',
      ).join(),
    ).not.toContain('on the CPU');
  });

  it('does not take a GPU that tells no times for a model on the CPU', () => {
    expect(titles([['TopK', 9]], 'webgpu')).toEqual(['This model spends 100 % in TopK.']);
  });

  it('says that there is one thread where the page is not isolated', () => {
    expect(titles([], 'wasm', false)).toEqual(['One thread runs it.']);
    expect(titles([], 'webgpu', false)).toEqual([]);
  });

  it('has none where time is spread', () => {
    const many = Array.from({ length: 10 }, (_, at): Node => [`Own${at}`, 10]);
    expect(titles(many)).toEqual([]);
    expect(titles([])).toEqual([]);
  });
});
