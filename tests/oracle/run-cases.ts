import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Answer } from './answer.ts';
import { frameBytes } from './cases/frame-recipes.ts';
import { modelBytes } from './cases/model-recipes.ts';
import type { SeededCase } from './cases/seeded-case.ts';
import { machineAnswer } from './machine-answer.ts';
import { openOracle, type OracleQuestion } from './oracle.ts';
import { openSightglass } from './sightglass-answer.ts';

/** A case with the answers of both sides. */
export interface Answered {
  readonly seeded: SeededCase;
  readonly machine: Answer;
  readonly here: Answer;
}

/** Runs cases on the machine's own code, in one run of the oracle, and on ours. */
export async function runCases(cases: readonly SeededCase[]): Promise<Answered[]> {
  const folder = await mkdtemp(join(tmpdir(), 'sightglass-cases-'));
  const oracle = await openOracle({ patienceMs: 60_000 }); // long, because a busy computer may be slow and no question hangs
  try {
    const written = await writeCases(cases, folder);
    const answers = await oracle.ask(written.map(({ question }) => question));
    const ask = await openSightglass();
    const answered: Answered[] = [];
    for (const [i, seeded] of cases.entries()) {
      const { config, frames } = written[i]!;
      answered.push({ seeded, machine: await machineAnswer(answers[i]!), here: await ask(seeded, config, frames) });
    }
    return answered;
  } finally {
    await oracle.close();
    await rm(folder, { recursive: true });
  }
}

interface WrittenCase {
  readonly question: OracleQuestion;
  readonly config: string;
  readonly frames: readonly Uint8Array[];
}

async function writeCases(cases: readonly SeededCase[], folder: string): Promise<WrittenCase[]> {
  const paths = new Map<string, Promise<string>>();
  const write = (name: string, key: string, bytes: () => Promise<Uint8Array> | string) => {
    const known = paths.get(key);
    if (known) return known;
    const path = join(folder, `${paths.size}${name}`);
    const writing = Promise.resolve(bytes()).then(async (content) => (await writeFile(path, content), path));
    paths.set(key, writing);
    return writing;
  };
  return Promise.all(
    cases.map(async (seeded) => {
      let config = JSON.stringify(seeded.config);
      for (const [name, text] of Object.entries(seeded.labelFiles)) {
        const path = await write('.txt', text, () => text);
        config = config.replaceAll(JSON.stringify(name), JSON.stringify(path));
      }
      const models: Record<string, string> = {};
      for (const [name, recipe] of Object.entries(seeded.models))
        models[name] = await write('.onnx', JSON.stringify(recipe), () => modelBytes(recipe));
      const frames = await Promise.all(seeded.frames.map(frameBytes));
      const { op, camera, top } = seeded;
      const asked = JSON.parse(config) as object;
      const question: OracleQuestion = {
        op,
        config: asked,
        camera,
        frames,
        wantsPixels: op !== 'build',
        top,
        ...(Object.keys(models).length > 0 && { models, vision: Object.keys(models)[0]! }),
        ...modelLabelsIn(asked),
      };
      return { question, config, frames };
    }),
  );
}

/** The label file that the model module would name is its own `label_path`. */
function modelLabelsIn(config: {
  readonly services?: readonly { readonly api: string; readonly attributes: Record<string, unknown> }[];
}) {
  const path = config.services?.find(({ api }) => api === 'rdk:service:mlmodel')?.attributes?.['label_path'];
  return typeof path === 'string' && path !== '' ? { modelLabels: path } : {};
}
