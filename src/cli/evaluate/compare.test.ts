import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { seededSet } from '../../../tests/coco-golden/seeded-sets.ts';
import { cliFolder, config, vision } from '../../../tests/cli-folder.ts';
import { parseCommand, type Command } from '../../../tests/parse-command.ts';
import { compare } from './compare.ts';

const { at, write } = cliFolder();

async function run(argv: readonly string[]) {
  const lines: Record<string, unknown>[] = [];
  const said: string[] = [];
  const code = await compare(parseCommand(['compare', ...argv]) as Extract<Command, { name: 'compare' }>, {
    print: (value) => void lines.push(JSON.parse(JSON.stringify(value)) as Record<string, unknown>),
    say: (text) => void said.push(text),
  });
  return { code, lines, said };
}

describe('compare', () => {
  it('says what changes between two result files, box by box, and which figures can be told apart', async () => {
    const { truth, results } = seededSet(2);
    const data = await write('coco.json', JSON.stringify(truth));
    const first = await write('a.json', JSON.stringify(results));
    const second = await write('b.json', JSON.stringify(results.slice(3)));
    const { code, lines, said } = await run(['--data', data, '--threshold', '0', first, second]);
    expect(code).toBe(0);
    expect(lines).toHaveLength(1);
    const { changes, changed, figures } = lines[0] as unknown as {
      changes: Record<string, number>;
      changed: { kind: string; first: object | null }[];
      figures: { label: string | null; figure: string; verdict: string }[];
    };
    expect(changes['vanished']! + changes['moved']! + changes['relabelled']! + changes['same']!).toBe(results.length);
    expect(changes['appeared']).toBe(0);
    expect(changed.find(({ kind }) => kind === 'vanished')!.first).toHaveProperty('bbox');
    expect(figures.find(({ label, figure }) => label === null && figure === 'f1')).toHaveProperty('verdict');
    expect(said.at(-2)).toMatch(/boxes vanish/);
    expect(said.at(-1)).toMatch(/^16 differences are judged at once/);
    expect((await run(['--data', data, first, first])).lines[0]).toMatchObject({
      changes: { vanished: 0, appeared: 0 },
    });
  });

  it('runs two configurations over the same frames', async () => {
    const truth = {
      images: [{ id: 1, file_name: 'a.png', width: 8, height: 4 }],
      categories: [
        { id: 1, name: 'cat' },
        { id: 2, name: 'dog' },
      ],
      annotations: [{ id: 1, image_id: 1, category_id: 2, bbox: [0, 0, 3, 1], area: 3, iscrowd: 0 }],
    };
    const data = await write('truth.json', JSON.stringify(truth));
    const open = { ...config, services: [config.services[0], vision('picky', { default_minimum_confidence: 0.5 })] };
    const second = await write('open.json', JSON.stringify(open));
    const options = ['--vision', 'picky', '--model', at('fixed.onnx'), '--labels', at('labels.txt'), '--data', data];
    const { code, lines } = await run([...options, '--report', at('report.json'), at('machine.json'), second]);
    expect(JSON.parse(await readFile(at('report.json'), 'utf8'))).toMatchObject({
      facts: {
        'Vision service': 'picky',
        Model: expect.stringMatching(/^fixed\.onnx, SHA-256 [0-9a-f]{64}$/) as string,
      },
      settings: expect.arrayContaining([
        expect.objectContaining({ place: 'picky: default_minimum_confidence', second: '0.5' }),
      ]) as object[],
    });
    expect(code).toBe(0);
    // The float32 0.7 is below 0.7, and above 0.5.
    expect(lines).toMatchObject([
      {
        changes: { vanished: 0, appeared: 1, same: 1 },
        changed: [{ kind: 'appeared', image: 'a.png', first: null, second: { label: 'dog' } }],
        first: { total: { truePositives: 0 } },
        second: { total: { truePositives: 1 } },
      },
    ]);
  });

  it('writes the same as a page, as JSON and as a table, and names what differs between the configurations', async () => {
    const { truth, results } = seededSet(2);
    const data = await write('coco.json', JSON.stringify(truth));
    const first = await write('a.json', JSON.stringify(results));
    const second = await write('b.json', JSON.stringify(results.slice(3)));
    const { lines, said } = await run(['--data', data, '--report', at('report.html'), first, second]);
    const html = await readFile(at('report.html'), 'utf8');
    expect(html).toContain(said.at(-1));
    expect(html).toContain('a.json and b.json compared');
    expect(html).not.toContain('<h2>Configuration</h2>');
    await run(['--data', data, '--report', at('report.json'), first, second]);
    const json = JSON.parse(await readFile(at('report.json'), 'utf8')) as Record<string, unknown>;
    expect(json).toMatchObject({ changes: lines[0]!['changes'], figures: lines[0]!['figures'], settings: null });
    await run(['--data', data, '--report', at('report.csv'), first, second]);
    expect(await readFile(at('report.csv'), 'utf8')).toMatch(/^label,figure,first,second/);
    await expect(run(['--data', data, '--report', 'report.pdf', first, second])).rejects.toThrow('--report wants');
  });

  it('wants two paths', async () => {
    await expect(run(['--data', 'x.json', 'a.json'])).rejects.toThrow('got 1 paths');
  });
});
