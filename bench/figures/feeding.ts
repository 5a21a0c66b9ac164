import { readFrameFile } from '../../src/platform/node/frame-file.ts';
import { trialModel, randomPart, randomRecipe, tryRecipe } from '../../tests/fit/recipe-trials.ts';
import { randomSource } from '../../tests/random-frame.ts';
import type { Frame } from '../../src/machine/vision/frame/frame.ts';
import type { BenchTools, Figure, Measurement } from '../figure.ts';

const recipes = 200;
/** Recipes whose picture differs by a level or two from that which the model was trained with, as JPEG decoders do. */
const otherwiseDecoded = 40;
const levels = 2;

export const figure: Figure = {
  title: 'how often one picture and the boxes expected of it tell by what recipe a model was fed',
  limitMinutes: 20,
  async measure(tools) {
    const same = await share(tools, 'the same samples', recipes, (frame) => frame);
    const random = randomSource(3);
    const noisy = (frame: Frame): Frame => {
      const samples = Uint8ClampedArray.from(frame.samples as Uint8ClampedArray, (value, at) =>
        at % 4 === 3 ? value : value + Math.round((2 * random() - 1) * levels),
      );
      return { format: 'rgba8', widthPx: frame.widthPx, heightPx: frame.heightPx, samples };
    };
    const other = await share(tools, `samples up to ${levels} levels apart`, otherwiseDecoded, noisy);
    return [{ ...same[0]!, atLeast: 95 }, ...same.slice(1), ...other];
  },
};

async function share(
  tools: BenchTools,
  what: string,
  count: number,
  trained: (frame: Frame) => Frame,
): Promise<Measurement[]> {
  const model = trialModel();
  const random = randomSource(7);
  const names = [1, 2, 3, 4, 5, 6].map((number) => `${tools.root}assets/photographs/sample${number}.jpg`);
  const photographs = await Promise.all(names.map((name) => readFrameFile(name)));
  let [tried, found, first, alike, runs] = [0, 0, 0, 0, 0];
  while (tried < count) {
    const recipe = randomRecipe(random);
    const trial = await tryRecipe(model, recipe, randomPart(photographs, random), trained);
    if (!trial) continue;
    tried++;
    tools.at(`${what}, ${tried} of ${count}`);
    if (trial.isFound) found++;
    if (trial.found.alike.length === 1 && trial.isFound) first++;
    alike += trial.found.alike.length;
    runs += trial.found.runs;
  }
  return [
    {
      name: `the recipe is found, alone or among those called alike: ${what}`,
      value: (100 * found) / tried,
      unit: '%',
    },
    { name: `the recipe is found alone: ${what}`, value: (100 * first) / tried, unit: '%' },
    { name: `recipes called alike: ${what}`, value: alike / tried, unit: 'mean' },
    { name: `runs of the model: ${what}`, value: runs / tried, unit: 'mean' },
  ];
}
