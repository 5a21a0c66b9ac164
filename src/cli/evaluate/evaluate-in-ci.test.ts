import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { cliFolder } from '../../../tests/cli-folder.ts';
import { parseCommand, type Command } from '../../../tests/parse-command.ts';
import { evaluate } from './evaluate.ts';

const { at, write } = cliFolder();

/** What docs/terminal.md tells a robot's CI to run, with the files that it names. */
async function documentedCommand(): Promise<string[]> {
  const text = await readFile(new URL('../../../docs/terminal.md', import.meta.url), 'utf8');
  const workflow = parse(/```yaml\n([\s\S]*?)```/.exec(text)![1]!) as {
    on: string[];
    jobs: Record<string, { 'runs-on': string; steps: { uses?: string; run?: string; with?: { path?: string } }[] }>;
  };
  const [job] = Object.values(workflow.jobs);
  const [command] = job!.steps.flatMap(({ run }) => run ?? []);
  expect(command).toMatch(/^npx sightglass evaluate /);
  const report = job!.steps.find(({ with: given }) => given?.path !== undefined)!.with!.path!;
  expect(command).toContain(`--report ${report}`);
  return command!.split(' ').slice(2);
}

async function runDocumented(width: number): Promise<number> {
  const truth = {
    images: [{ id: 1, file_name: 'a.png', width: 8, height: 4 }],
    categories: [{ id: 1, name: 'cat' }],
    annotations: [{ id: 1, image_id: 1, category_id: 1, bbox: [3, 1, width, 2], area: 2 * width, iscrowd: 0 }],
  };
  await write('truth.json', JSON.stringify(truth));
  const argv = (await documentedCommand()).map((word) => (/\.(json|onnx|txt|html)$/.test(word) ? at(word) : word));
  return evaluate(parseCommand(argv) as Extract<Command, { name: 'evaluate' }>, { print: () => {}, say: () => {} });
}

it('runs the step that the documentation gives for GitHub Actions, green and red', async () => {
  expect(await runDocumented(4)).toBe(0);
  expect(await readFile(at('report.html'), 'utf8')).toContain('Evaluation of picky');
  expect(await runDocumented(1)).toBe(1);
});
