import { describe, expect, it } from 'vitest';
import answers from '../../tests/coco-golden/answers.json' with { type: 'json' };
import { seededSet } from '../../tests/coco-golden/seeded-sets.ts';
import { cliFolder } from '../../tests/cli-folder.ts';
import { parseCommand, type Command } from './arguments.ts';
import { evaluate } from './evaluate.ts';
import { UsageError } from './usage.ts';

const { at, write } = cliFolder();

async function run(argv: readonly string[]) {
  const lines: Record<string, unknown>[] = [];
  const said: string[] = [];
  const code = await evaluate(parseCommand(['evaluate', ...argv]) as Extract<Command, { name: 'evaluate' }>, {
    print: (value) => void lines.push(JSON.parse(JSON.stringify(value)) as Record<string, unknown>),
    say: (text) => void said.push(text),
  });
  return { code, lines, said };
}

async function withSeed(seed: number): Promise<string[]> {
  const { truth, results } = seededSet(seed);
  const [data, detections] = [
    await write('coco.json', JSON.stringify(truth)),
    await write('results.json', JSON.stringify(results)),
  ];
  return ['--data', data, '--detections', detections];
}

describe('evaluate of results', () => {
  it('prints one object with the figures of pycocotools, unrounded', async () => {
    const { code, lines } = await run(await withSeed(2));
    expect(code).toBe(0);
    expect(lines).toHaveLength(1);
    const { metrics, perLabel, images, detections } = lines[0] as never as {
      metrics: Record<string, number | null>;
      perLabel: Record<string, unknown>[];
      images: number;
      detections: number;
    };
    const { figures } = answers.sets[2];
    for (const [place, figure] of answers.figures.entries()) expect(metrics[figure]).toBeCloseTo(figures[place]!, 12);
    const { truth, results } = seededSet(2);
    expect({ images, detections }).toEqual({ images: truth.images.length, detections: results.length });
    expect(Object.keys(perLabel[0]!)).toEqual(
      expect.arrayContaining(['label', 'truth', 'AP', 'AP50', 'precision', 'recall', 'f1', 'threshold']),
    );
    expect(perLabel[0]!['threshold']).toBe(0.5);
  });

  it('exits with 1 when a figure is below its floor, and says which', async () => {
    const given = await withSeed(2);
    expect(await run([...given, '--fail-under', 'mAP50=0.3,recall=0'])).toMatchObject({ code: 0 });
    const { code, lines, said } = await run([...given, '--fail-under', 'mAP50=0.4,precision:label 3=1']);
    expect(code).toBe(1);
    expect(lines[0]!['missed']).toMatchObject([
      { figure: 'AP50', atLeast: 0.4 },
      { figure: 'precision:label 3', atLeast: 1 },
    ]);
    expect(said.join('\n')).toContain('AP50 is 0.306');
  });

  it('refuses a floor that nothing can meet: an unknown figure or label, a number out of range', async () => {
    const given = await withSeed(2);
    await expect(run([...given, '--fail-under', 'accuracy=0.5'])).rejects.toThrow(UsageError);
    await expect(run([...given, '--fail-under', 'AP=50'])).rejects.toThrow('a number from 0 to 1');
    await expect(run([...given, '--fail-under', 'f1:cat=0.5'])).rejects.toThrow('"label 0"');
  });

  it('takes no undefined figure for one that is good enough', async () => {
    const given = await withSeed(1);
    const { code, lines } = await run([...given, '--fail-under', 'APs=0']);
    expect(code).toBe(1);
    expect(lines[0]!['missed']).toEqual([{ figure: 'APs', value: null, atLeast: 0 }]);
  });

  it('says what is wrong with a file', async () => {
    const [, data, , detections] = await withSeed(1);
    const broken = await write('broken.json', '{"images": [');
    await expect(run(['--data', broken, '--detections', detections!])).rejects.toThrow('no valid JSON');
    const other = await write('other.json', '[{"image_id": 99, "category_id": 0, "bbox": [0, 0, 1, 1], "score": 1}]');
    await expect(run(['--data', data!, '--detections', other])).rejects.toThrow('another dataset');
    await expect(run(['--data', at('nowhere.json'), '--detections', other])).rejects.toThrow('no such file');
  });
});
