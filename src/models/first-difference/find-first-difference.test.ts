import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import * as ort from 'onnxruntime-web';
import { brokenRuntime, faults, type Fault } from '../../../tests/first-difference/planted-faults.ts';
import { randomNetwork, type RandomNetwork } from '../../../tests/first-difference/random-network.ts';
import { hasSharedData, sharedData } from '../../../tests/fit/photographs.ts';
import { randomSource } from '../../../tests/random-frame.ts';
import type { InferenceSession } from '../../machine/vision/inference/inference-session.ts';
import type { Tensor } from '../../machine/vision/tensor/tensor.ts';
import { startSessionThread } from '../../platform/node/session-in-thread.ts';
import { openOrtSession } from '../../platform/onnxruntime/onnxruntime-session.ts';
import { decodeModel } from '../onnx/edit-model.ts';
import { encodeModel } from '../onnx/encode-model.ts';
import { findFirstDifference } from './find-first-difference.ts';
import { asDtype } from './run-sides.ts';
import type { ComparedSide } from './first-difference.ts';

ort.env.wasm.numThreads = 1;

/** A few; `FAULTS=200 CLEAN=200` takes a minute and a half and prints what was not found. */
const plantedCount = Number(process.env['FAULTS'] ?? 15);
const cleanCount = Number(process.env['CLEAN'] ?? 6);

/** The smallest of the published models; each night larger ones, too. */
const published = ['ultraface_RFB-320', ...(process.env['NIGHTLY'] ? ['nanodet_m_320', 'yolox_nano_416'] : [])];

const open =
  (level: 'all' | 'disabled') =>
  (model: Uint8Array<ArrayBuffer>): Promise<InferenceSession> =>
    openOrtSession(ort, model, { executionProviders: ['wasm'], graphOptimizationLevel: level });

function sideOf(name: string, { model, frames }: RandomNetwork, opener: ComparedSide['open']): ComparedSide {
  return { name, model, open: opener, feeds: { image: frames[0] }, earlierFeeds: { image: frames[1] } };
}

/** Nodes that a fault can be planted in. */
function targets({ model }: RandomNetwork, fault: Fault): string[] {
  const { node } = decodeModel(model).graph;
  const whole = new Set(['TopK', 'Squeeze', 'Shape']);
  const constants = /constant/;
  const named = node.filter(({ opType }) => !whole.has(opType));
  if (fault === 'swapped') {
    return named
      .filter(({ opType, input }) => ['Sub', 'Div'].includes(opType) && !constants.test(input[1]!))
      .map(({ name }) => name);
  }
  if (fault === 'overflow')
    return named.filter(({ opType, input }) => opType === 'Mul' && constants.test(input[1]!)).map(({ name }) => name);
  return named.map(({ name }) => name);
}

describe('findFirstDifference', () => {
  it(`finds ${plantedCount} planted faults of five kinds`, { timeout: 600_000 }, async () => {
    const random = randomSource(11);
    const wrong: string[] = [];
    let most = 0;
    for (let k = 0, seed = 1; k < plantedCount; seed++) {
      const fault = faults[k % faults.length]!;
      const network = randomNetwork(seed);
      const possible = targets(network, fault);
      if (possible.length === 0) continue;
      k += 1;
      const target = possible[Math.floor(random() * possible.length)]!;
      const found = await findFirstDifference(
        sideOf('right', network, open('all')),
        sideOf('broken', network, brokenRuntime(open('disabled'), fault, target)),
        // Of some faults no output says anything: behind a maximum, or a limit.
        { evenIfSame: true },
      );
      most = Math.max(most, found.runs);
      const named = found.kind === 'node' ? found.cutOut.nodes.at(-1)!.name : found.kind;
      if (named !== target) {
        const op = decodeModel(network.model).graph.node.find(({ name }) => name === target)!.opType;
        wrong.push(`seed ${seed}: ${fault} in ${op} ${target}, found ${named}: ${found.says}`);
      }
    }
    if (process.env['FAULTS'])
      process.stdout.write(
        `${plantedCount - wrong.length} of ${plantedCount} found, at most ${most} runs\n${wrong.join('\n')}\n`,
      );
    expect(wrong.length).toBeLessThanOrEqual(0.05 * plantedCount);
    expect(most).toBeLessThanOrEqual(20);
  });

  it(
    `accuses no node of ${cleanCount} healthy networks, with and without joined kernels`,
    { timeout: 600_000 },
    async () => {
      const accused: string[] = [];
      for (let seed = 1; seed <= cleanCount; seed++) {
        const network = randomNetwork(1000 + seed);
        const found = await findFirstDifference(
          sideOf('a', network, open('all')),
          sideOf('b', network, open('disabled')),
          { evenIfSame: true },
        );
        if (found.kind !== 'same' && found.kind !== 'adds-up') accused.push(`seed ${seed}: ${found.says}`);
        else if (found.tried < decodeModel(network.model).graph.node.length)
          accused.push(`seed ${seed}: only ${found.tried} tried`);
      }
      expect(accused).toEqual([]);
    },
  );

  it(`accuses no node of ${cleanCount} healthy networks on one thread and on three`, { timeout: 600_000 }, async () => {
    const threads = startSessionThread(3);
    const accused: string[] = [];
    for (let seed = 1; seed <= cleanCount; seed++) {
      const network = randomNetwork(5000 + seed);
      const several = sideOf('three', network, (model) => threads.open(model));
      const found = await findFirstDifference(sideOf('one', network, open('all')), several, { evenIfSame: true });
      if (found.kind !== 'same' && found.kind !== 'adds-up') accused.push(`seed ${seed}: ${found.says}`);
    }
    await threads.end();
    expect(accused).toEqual([]);
  });

  it.skipIf(!hasSharedData).each(published)(
    'finds a fault inside %s (skipped without ../shared/data)',
    { timeout: 120_000 },
    async (name) => {
      const decoded = decodeModel(new Uint8Array(await readFile(new URL(`models/${name}.onnx`, sharedData))));
      // A fault is planted by a node's name, which not every file has.
      for (const [at, node] of decoded.graph.node.entries()) node.name ||= `${node.opType} ${at}`;
      const model = encodeModel(decoded);
      const convs = decoded.graph.node.filter(({ opType }) => opType === 'Conv');
      const target = convs[Math.floor(convs.length / 3)]!.name;
      const [input] = (await open('all')(model)).inputs;
      const shape = input!.shape.map((size) => Math.max(1, size));
      const random = randomSource(3);
      const data = Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, random);
      const feeds = { [input!.name]: { dtype: 'float32' as const, shape, data } };
      const side = (opener: ComparedSide['open']): ComparedSide => ({
        name,
        model,
        open: opener,
        feeds,
        earlierFeeds: null,
      });
      const found = await findFirstDifference(side(open('all')), side(brokenRuntime(open('all'), 'offset', target)));
      expect(found.kind === 'node' ? found.cutOut.nodes.at(-1)!.name : found.says).toBe(target);
      expect(found.runs).toBeLessThanOrEqual(20);
      const clean = await findFirstDifference(side(open('all')), side(open('disabled')), { evenIfSame: true });
      expect(clean.says).toMatch(/^([\w-]+ gives what|No part differs)/);
    },
  );

  it('narrows in a twentieth of the memory, and still in 20 runs', { timeout: 120_000 }, async () => {
    const found: string[] = [];
    const targets = [];
    for (let seed = 1; seed <= 4; seed++) {
      const network = randomNetwork(seed, 30);
      const convs = decodeModel(network.model).graph.node.filter(({ opType }) => opType === 'Conv');
      const target = convs[Math.floor((seed / 5) * convs.length)]!.name;
      targets.push(target);
      const broken = sideOf('broken', network, brokenRuntime(open('disabled'), 'offset', target));
      const hunted = await findFirstDifference(sideOf('right', network, open('disabled')), broken, {
        mostBytes: 60_000,
      });
      found.push(hunted.kind === 'node' ? hunted.cutOut.nodes.at(-1)!.name : hunted.says);
      expect(hunted.runs).toBeGreaterThan(9);
      expect(hunted.runs).toBeLessThanOrEqual(20);
    }
    expect(found).toEqual(targets);
  });

  it('says of a difference that vanishes when looked at which nodes are joined', async () => {
    const network = randomNetwork(3);
    const target = nodeOf(network, 'Conv', 2);
    const found = await findFirstDifference(
      sideOf('right', network, open('disabled')),
      sideOf('broken', network, brokenRuntime(open('disabled'), 'joined', target)),
    );
    expect(found.kind).toBe('hidden');
    if (found.kind !== 'hidden') return;
    expect(found.nodes.map(({ name }) => name)).toContain(target);
    expect(found.nodes.length).toBeLessThanOrEqual(4);
    expect(found.cutOut?.nodes.map(({ name }) => name)).toContain(target);
    expect(found.runs).toBeLessThanOrEqual(20);
  });

  it('cuts a node out together with its neighbour where it is right alone', async () => {
    const network = randomNetwork(3);
    const target = nodeOf(network, 'Conv', 2);
    const found = await findFirstDifference(
      sideOf('right', network, open('disabled')),
      sideOf('broken', network, brokenRuntime(open('disabled'), 'beside', target)),
    );
    expect(found).toMatchObject({ kind: 'together', node: { name: target } });
    if (found.kind !== 'together') return;
    expect(found.cutOut?.nodes).toHaveLength(2);
    expect(found.cutOut!.outputs[found.cutOut!.worst]!.difference.largest).toBeCloseTo(1e-2, 3);
  });

  it('gives a cut-out that shows the difference by itself, with values of both', async () => {
    const network = randomNetwork(3);
    const target = nodeOf(network, 'Conv', 2);
    const broken = brokenRuntime(open('disabled'), 'offset', target);
    const found = await findFirstDifference(sideOf('right', network, open('all')), sideOf('broken', network, broken));
    expect(found.kind).toBe('node');
    if (found.kind !== 'node') return;
    const { cutOut } = found;
    const run = async (opener: ComparedSide['open'], model: Uint8Array<ArrayBuffer>) => {
      const session = await opener(model);
      const results = await session.run(cutOut.feeds);
      await session.release();
      return results[cutOut.outputs[0]!.name]!.data;
    };
    expect(await run(open('disabled'), cutOut.referenceModel)).toEqual(cutOut.outputs[0]!.reference.data);
    expect(await run(broken, cutOut.otherModel)).toEqual(cutOut.outputs[0]!.other.data);
    expect(cutOut.outputs[0]!.difference.largest).toBeCloseTo(1e-2, 5);
  });

  it('says that both were fed other numbers, and where no tensor has a name in common', async () => {
    const network = randomNetwork(3);
    const side = sideOf('a', network, open('all'));
    const dark = { ...side, feeds: side.earlierFeeds! };
    expect(await findFirstDifference(side, dark)).toMatchObject({ kind: 'fed-differently', input: { name: 'image' } });
    const other = decodeModel(network.model);
    const renamed = new Map(other.graph.node.flatMap(({ output }) => output.map((name) => [name, `other/${name}`])));
    for (const node of other.graph.node) {
      node.input = node.input.map((name) => renamed.get(name) ?? name);
      node.output = node.output.map((name) => renamed.get(name) ?? name);
    }
    for (const output of other.graph.output) output.name = renamed.get(output.name)!;
    const strange = { ...side, model: encodeModel(other) };
    expect(await findFirstDifference(side, strange, { evenIfSame: true })).toMatchObject({
      kind: 'no-correspondence',
      correspondence: { matched: 0 },
    });
  });

  /** A network that gives 1 and these differences from it, run after run of a session. */
  const saying = (...differences: readonly number[]): ComparedSide => {
    const { model, frames } = randomNetwork(3);
    const names = decodeModel(model).graph.output.map(({ name }) => name);
    const open = async (): Promise<InferenceSession> => {
      let runs = 0;
      const run = async () => {
        const data = Float32Array.of(1 + (differences[runs++] ?? 0));
        return Object.fromEntries(names.map((name) => [name, { dtype: 'float32', shape: [1], data } as const]));
      };
      return { inputs: [], outputs: [], run, release: async () => undefined };
    };
    return { name: 'saying', model, open, feeds: { image: frames[0] }, earlierFeeds: { image: frames[1] } };
  };

  it('takes what float16 can hold of the same numbers for the same feed', async () => {
    const [side, numbers] = [saying(), { dtype: 'float32', shape: [3], data: Float32Array.of(0.1, 0.3, 0.7) } as const];
    const kindOf = async (image: Tensor) =>
      (await findFirstDifference({ ...side, feeds: { image: numbers } }, { ...side, feeds: { image } })).kind;
    expect(await kindOf(asDtype(numbers, 'float16'))).toBe('same');
    expect(await kindOf({ ...numbers, data: Float32Array.of(0.1, 0.3, 0.7004) })).toBe('fed-differently');
    const brighter = { ...numbers, data: Float32Array.of(0.1, 0.3, 0.71) };
    expect(await kindOf(asDtype(brighter, 'float16'))).toBe('fed-differently');
  });

  it('takes a difference for one that is left of the run before only where it grows more than fourfold by that', async () => {
    const shareOf = async (late: number) => {
      const { outputs } = await findFirstDifference(saying(), saying(5e-5, late), { mostRuns: 4 });
      return outputs[0]!.difference.share;
    };
    expect(await shareOf(1.5e-4)).toBeCloseTo(5e-5, 6);
    expect(await shareOf(3e-4)).toBeCloseTo(3e-4, 6);
  });

  it('stops when runs are spent, and says what is left', async () => {
    const network = randomNetwork(3);
    const broken = sideOf('broken', network, brokenRuntime(open('disabled'), 'offset', nodeOf(network, 'Conv', 2)));
    const found = await findFirstDifference(sideOf('right', network, open('all')), broken, { mostRuns: 4 });
    expect(found).toMatchObject({ kind: 'not-found', runs: 4, refused: '' });
    expect(found.kind === 'not-found' && found.nodes.length).toBeGreaterThan(10);
  });
});

function nodeOf({ model }: RandomNetwork, opType: string, nth: number): string {
  return decodeModel(model).graph.node.filter((node) => node.opType === opType)[nth]!.name;
}
