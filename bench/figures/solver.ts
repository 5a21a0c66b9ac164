import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import type { Page } from 'playwright';
import { readFrameFile } from '../../src/platform/node/frame-file.ts';
import type { Frame } from '../../src/machine/vision/frame/frame.ts';
import type { BenchTools, Figure, Measurement } from '../figure.ts';
import { isDecided } from '../../src/models/fit/solver/rank-hypotheses.ts';
import { randomSource } from '../../tests/random-frame.ts';
import { drawFaults, trySet } from '../solver/double-faults.ts';
import { faults, isRight } from '../solver/faults.ts';
import { openSolverModel, recipes, type SolverModel } from '../solver/solver-model.ts';
import { faultyService, solveFault, trialPorts } from '../solver/solver-trial.ts';
import { looksRight } from '../solver/looks-right.ts';

const photographsOfEach = 2;
/** sets of one fault or two, by lot, for each model: some 340 in all */
const setsOfEach = 34;
const seed = 20_261_129;

/** A trial of the solver: one model with one fault on some photographs. */
interface Trial {
  readonly model: string;
  readonly fault: string;
  /** whether it belongs to the half on which the solver's thresholds were chosen */
  readonly isChosenOn: boolean;
  /** whether the fault does not change the results, so that it cannot be detected */
  readonly isUnseen: boolean;
  /** rank of the true cause among the hypotheses; 0 = first, -1 = missing */
  readonly place: number;
  /** the same rank if the solver is not told the preprocessing that the file or its family states, and has only the pictures */
  readonly placeUntold: number;
  /** whether the solver says that the first hypothesis is sure; it is told what the file or its family states */
  readonly isSure: boolean;
}

export const figure: Figure = {
  title: 'what the symptom solver names first, of faults injected into models, without labels',
  async measure(tools) {
    const data = new URL('../shared/data/', `file://${tools.root}`);
    if (!existsSync(data)) {
      tools.note('skipped: the models and photographs of ../shared/data are not here');
      return [];
    }
    const trials: Trial[] = [];
    const drawn: { readonly isSure: boolean; readonly isRight: boolean }[] = [];
    for (const [half, models] of recipes.entries()) {
      for (const recipe of models) {
        const model = await openSolverModel(recipe, data, tools.root);
        for (const [set, frames] of (await photographs(model, data)).entries())
          trials.push(...(await tryFaults(model, frames, half === 0 && set === 0)));
        drawn.push(...(await tryDrawn(model, await photographs(model, data), tools)));
        await model.session.release();
        tools.note(
          lineOf(
            model.name,
            trials.filter((trial) => trial.model === model.name),
          ),
        );
      }
    }
    for (const { name } of faults)
      tools.note(
        lineOf(
          name,
          trials.filter(({ fault }) => fault === name),
        ),
      );
    const seen = trials.filter(({ isUnseen, fault }) => !isUnseen && fault !== 'none');
    return [
      ...sharesOf(
        'models and photographs that thresholds were chosen on',
        seen.filter(({ isChosenOn }) => isChosenOn),
      ),
      ...sharesOf(
        'the others',
        seen.filter(({ isChosenOn }) => !isChosenOn),
      ),
      ...sharesOf('all', seen).map((measurement, at) => (at === 0 ? { ...measurement, atLeast: 90 } : measurement)),
      untoldShare(seen),
      ...sureness(trials.filter(({ isUnseen }) => !isUnseen)),
      {
        name: `it is sure, and wrong or not done, of ${drawn.length} sets of one fault or two by lot, of which it is sure in ${drawn.filter(({ isSure }) => isSure).length}`,
        value: drawn.filter(({ isSure, isRight: is }) => isSure && !is).length,
        unit: '',
        atMost: 0,
      },
      await inTheApp(tools),
    ];
  },
};

/** Two sets of photographs that suit the model. The first belongs to the half on which thresholds were chosen. */
async function photographs({ sees }: SolverModel, data: URL): Promise<Frame[][]> {
  const listed = async (folder: string) =>
    (await readdir(new URL(`images/${folder}/`, data)))
      .filter((file) => !file.endsWith('.json'))
      .toSorted()
      .map((file) => `${folder}/${file}`);
  const files = {
    things: await listed('coco'),
    classes: await listed('imagenet'),
    faces: ['satya.jpg', 'faces_1.jpg', 'coco/000000000110.jpg', 'coco/000000000049.jpg'],
  }[sees];
  const sets = [0, 1].map((half) => files.filter((_, at) => at % 2 === half).slice(0, photographsOfEach));
  return Promise.all(
    sets.map((set) => Promise.all(set.map((file) => readFrameFile(new URL(`images/${file}`, data).pathname)))),
  );
}

async function tryFaults(model: SolverModel, frames: readonly Frame[], isChosenOn: boolean): Promise<Trial[]> {
  const trials: Trial[] = [];
  for (const fault of faults) {
    const service = faultyService(model, fault);
    if (!service) continue;
    const seen = frames.map(service.turn);
    const ports = trialPorts();
    const solveWith = async (statedFeeding: SolverModel['statedFeeding']) => {
      const ranked = await solveFault({ ...model, statedFeeding }, service, seen, ports);
      const place = ranked.findIndex((one) => isRight(one, fault, model));
      return { place, isSure: isDecided(ranked, 'unsure') };
    };
    const untold = await solveWith(null);
    const { place, isSure } = model.statedFeeding ? await solveWith(model.statedFeeding) : untold;
    const placeUntold = untold.place;
    const isUnseen = fault.change !== null && (await looksRight(model, service, frames));
    trials.push({ model: model.name, fault: fault.name, isChosenOn, isUnseen, place, placeUntold, isSure });
  }
  return trials;
}

/** Sets of faults by lot, each on one of the sets of photographs. */
async function tryDrawn(model: SolverModel, sets: readonly Frame[][], { note }: BenchTools) {
  const random = randomSource(seed);
  const tried = [];
  while (tried.length < setsOfEach) {
    const faultSet = drawFaults(random);
    const trial = await trySet(model, faultSet, sets[Math.floor(random() * sets.length)]!);
    if (!trial) continue;
    tried.push(trial);
    if (trial.isSure && !trial.isRight) note(`${model.name}: sure and wrong, ${faultSet.name}: ${trial.best}`);
  }
  return tried;
}

function sharesOf(what: string, trials: readonly Trial[]): Measurement[] {
  const share = (most: number) =>
    (100 * trials.filter(({ place }) => place >= 0 && place < most).length) / trials.length;
  return [
    { name: `the cause is first: ${what}, ${trials.length} faults`, value: share(1), unit: '%' },
    { name: `the cause is among four: ${what}`, value: share(4), unit: '%' },
  ];
}

/** The share of trials whose true cause ranks first without the stated preprocessing, and how many needed it. */
function untoldShare(trials: readonly Trial[]): Measurement {
  const first = trials.filter(({ placeUntold }) => placeUntold === 0).length;
  const needed = trials.filter(({ place, placeUntold }) => place === 0 && placeUntold !== 0).length;
  return {
    name: `the cause is first without a word on the feeding: all; ${needed} needed what the file or its family says of it`,
    value: (100 * first) / trials.length,
    unit: '%',
  };
}

/** How often the solver says that it is sure, and how often it is sure and wrong. */
function sureness(trials: readonly Trial[]): Measurement[] {
  const sure = trials.filter(({ isSure }) => isSure);
  const wrong = sure.filter(({ place }) => place !== 0);
  return [
    { name: 'it says that it is sure', value: (100 * sure.length) / trials.length, unit: '%' },
    { name: 'it is sure, and wrong', value: wrong.length, unit: '', atMost: 0 },
  ];
}

function lineOf(name: string, trials: readonly Trial[]): string {
  const seen = trials.filter(({ isUnseen }) => !isUnseen);
  const within = (key: 'place' | 'placeUntold', most: number) =>
    seen.filter((trial) => trial[key] >= 0 && trial[key] < most).length;
  const unseen = trials.filter(({ isUnseen }) => isUnseen);
  const missed = seen
    .filter(({ place }) => place !== 0)
    .map(({ model, fault, place }) => `${name === model ? fault : model} (${place + 1 || 'none'})`);
  return [
    `${name}: first in ${within('place', 1)} of ${seen.length}, among four in ${within('place', 4)}`,
    `without a word on the feeding ${within('placeUntold', 1)} and ${within('placeUntold', 4)}`,
    missed.length > 0 && `missed: ${missed.join(', ')}`,
    unseen.length > 0 && `${unseen.length} that change no result`,
  ]
    .filter((words) => words !== false)
    .join('; ');
}

/** The time in the built app from choosing a symptom to the pictures of the hypotheses, with the built-in model. */
async function inTheApp({ openApp }: BenchTools): Promise<Measurement> {
  const page = await openApp();
  await page.locator('table tbody tr').first().waitFor({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Boxes look wrong?' }).click();
  const times: number[] = [];
  for (const symptom of ['I am not sure', 'Nothing at all', 'Mirrored or sideways'])
    times.push(await solved(page, symptom));
  return {
    name: 'in the app, the built-in detector, the slowest of three',
    value: Math.max(...times) / 1000,
    unit: 's',
    atMost: 10,
  };
}

async function solved(page: Page, symptom: string): Promise<number> {
  const startMs = performance.now();
  await page.getByRole('button', { name: symptom }).click();
  await page.getByRole('progressbar').waitFor();
  await page.getByRole('progressbar').waitFor({ state: 'detached', timeout: 60_000 });
  await page.getByRole('list', { name: 'Likely causes' }).waitFor();
  return performance.now() - startMs;
}
