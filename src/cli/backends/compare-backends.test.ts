import { readFile } from 'node:fs/promises';
import { unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { cliFolder } from '../../../tests/cli-folder.ts';
import { parseCommand, type Command } from '../../../tests/parse-command.ts';
import { decodeModel } from '../../models/onnx/edit-model.ts';
import { encodeModel } from '../../models/onnx/encode-model.ts';
import { findNative } from '../../platform/node/native-onnxruntime.ts';
import { compareBackends } from './compare-backends.ts';

const { at, base, write } = cliFolder();

async function run(argv: readonly string[]) {
  const lines: Record<string, unknown>[] = [];
  const said: string[] = [];
  const code = await compareBackends(parseCommand(argv) as Extract<Command, { name: 'compare-backends' }>, {
    print: (value) => void lines.push(JSON.parse(JSON.stringify(value)) as Record<string, unknown>),
    say: (text) => void said.push(text),
  });
  return { code, lines, said };
}

describe('compare-backends', () => {
  it('finds one thread and two of the same opinion', async () => {
    const argv = base('compare-backends', 'bright', 'bright.onnx');
    const { code, lines, said } = await run([...argv, '--runtimes', 'wasm:1,wasm:2', at('a.png'), at('b.png')]);
    expect(code).toBe(0);
    expect(lines).toEqual(
      ['a.png', 'b.png'].map((name) => ({
        frame: at(name),
        verdict: 'equal',
        rows: 1,
        largestScoreDifference: 0,
        differences: [],
      })),
    );
    expect(said.at(-1)).toBe('0 of 2 frames give other results on wasm:2, bright.onnx than on wasm:1, bright.onnx.');
  });

  it('names the first part that another file computes otherwise, and saves the case', async () => {
    const model = decodeModel(new Uint8Array(await readFile(at('bright.onnx'))));
    // The pixel of the largest value becomes that of the smallest.
    const place = model.graph.node.findIndex(({ opType }) => opType === 'ArgMax');
    model.graph.node[place]!.opType = 'ArgMin';
    const against = await write('other.onnx', encodeModel(model));
    const argv = base('compare-backends', 'bright', 'bright.onnx');
    const { code, lines, said } = await run([
      ...argv,
      '--runtimes',
      'wasm,wasm',
      '--against',
      against,
      '--save',
      at('case.zip'),
      at('a.png'),
    ]);
    expect(code).toBe(1);
    expect(lines[0]).toMatchObject({ verdict: 'differs' });
    expect(lines[1]).toMatchObject({ firstDifference: { kind: 'node', nodes: [{ opType: 'ArgMax', place }] } });
    expect(said.at(-2)).toMatch(/^The first wrong part is ArgMax/);
    expect(said.at(-1)).toBe(`The case is in ${at('case.zip')}.`);
    const files = unzipSync(new Uint8Array(await readFile(at('case.zip'))));
    expect(decodeModel(files['model.onnx']!).graph.node.map(({ opType }) => opType)).toEqual(['ArgMax']);
    expect(decodeModel(files['other/model.onnx']!).graph.node.map(({ opType }) => opType)).toEqual(['ArgMin']);
    expect(new TextDecoder().decode(files['README.md'])).toMatch(/onnxruntime-web: \d+\.\d+/);
  });

  it.skipIf(findNative().kind !== 'missing')(
    'says how to get the native runtime where it is not installed',
    async () => {
      const argv = base('compare-backends', 'bright', 'bright.onnx');
      await expect(run([...argv, '--runtimes', 'wasm,native', at('a.png')])).rejects.toThrow(
        'npm install onnxruntime-node',
      );
    },
  );

  it.skipIf(findNative().kind !== 'usable')('compares WASM with the native runtime', async () => {
    const argv = base('compare-backends', 'bright', 'bright.onnx');
    const { code, said } = await run([...argv, '--runtimes', 'wasm,native', at('a.png')]);
    expect([code, said.at(-1)]).toEqual([
      0,
      '0 of 1 frames give other results on native, bright.onnx than on wasm, bright.onnx.',
    ]);
  });

  it('refuses a runtime that it does not know, and a file that is no model', async () => {
    const argv = base('compare-backends', 'bright', 'bright.onnx');
    await expect(async () => run([...argv, '--runtimes', 'wasm,cuda', at('a.png')])).rejects.toThrow(
      'two of native, wasm',
    );
    await expect(run([...argv, '--against', at('labels.txt'), at('a.png')])).rejects.toThrow('labels.txt');
  });
});
