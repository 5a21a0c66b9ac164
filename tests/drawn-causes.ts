import { randomSource } from './random-frame.ts';
import { classes, classifier, detector, half, imageNet, names, proven, unit, type Side } from './two-sides.ts';

type Draw = () => number;
type World = 'detector' | 'bytes' | 'classifier';

/** A thing that machine and bench can have otherwise, and what names it. */
interface Fault {
  readonly worlds: readonly World[];
  readonly says: RegExp;
  /** The side with it. */
  readonly with: (side: Side, draw: Draw, world: World) => Side;
}

const pick = <Item>(items: readonly Item[], draw: Draw): Item => items[Math.floor(draw() * items.length)]!;
const has = (side: Side, attributes: Side['attributes']): Side => ({ ...side, attributes: { ...side.attributes, ...attributes } }); // prettier-ignore
const hundredth = (low: number, high: number, draw: Draw): number => Math.round(100 * (low + (high - low) * draw())) / 100; // prettier-ignore
const three = (one: () => number): number[] => [one(), one(), one()];
const real: readonly World[] = ['detector', 'classifier'];
const all: readonly World[] = ['detector', 'bytes', 'classifier'];
const boxes: readonly World[] = ['detector', 'bytes'];
const shuffled = (labels: readonly string[], at: number): string[] =>
  labels.map((label, index) => (index === at ? labels[at + 1]! : index === at + 1 ? labels[at]! : label));

/** A reason says one of the labels' three in other words; they are of one label file, and only one of them is drawn. */
const saysLabels = /index numbers|label file/;
const saysThresholds = /threshold|default_minimum_confidence|label_confidences/;
const saysMean = /input_image_mean_value/;
const saysDeviation = /input_image_std_dev/;

/** The faults to inject, by name. */
const faults = {
  colours: { worlds: all, says: /input_image_bgr/, with: (side) => has(side, { input_image_bgr: true }) },
  mean: {
    worlds: real,
    says: saysMean,
    with: (side, draw) => has(side, { input_image_mean_value: pick([[0, 0, 0], [0.485, 0.456, 0.406], [0.25, 0.25, 0.25]], draw) }), // prettier-ignore
  },
  'unusual mean': {
    worlds: real,
    says: saysMean,
    with: (side, draw) => has(side, { input_image_mean_value: three(() => hundredth(0.1, 0.9, draw)) }),
  },
  deviation: {
    worlds: real,
    says: saysDeviation,
    with: (side, draw) =>
      has(side, {
        input_image_std_dev: pick(
          [
            [1, 1, 1],
            [0.225, 0.225, 0.225],
          ],
          draw,
        ),
      }),
  },
  'unusual deviation': {
    worlds: real,
    says: saysDeviation,
    with: (side, draw) => has(side, { input_image_std_dev: three(() => hundredth(0.15, 0.9, draw)) }),
  },
  'box order': {
    worlds: boxes,
    says: /xmin_ymin_xmax_ymax_order/,
    with: (side, draw) => has(side, { xmin_ymin_xmax_ymax_order: pick([[0, 1, 2, 3], [0, 2, 1, 3], [1, 3, 0, 2]], draw) }), // prettier-ignore
  },
  'no label file': { worlds: all, says: saysLabels, with: (side) => ({ ...side, labels: null }) },
  'shifted labels': {
    worlds: all,
    says: saysLabels,
    with: (side, _, world) => ({ ...side, labels: ['???', ...side.labels!].slice(0, world === 'classifier' ? 5 : 4) }),
  },
  'other labels': {
    worlds: all,
    says: saysLabels,
    with: (side, draw) => ({ ...side, labels: shuffled(side.labels!, Math.floor(draw() * 2)) }),
  },
  threshold: {
    worlds: all,
    says: saysThresholds,
    with: (side, draw, world) => has(side, { default_minimum_confidence: world === 'classifier' ? hundredth(0.1, 0.4, draw) : hundredth(0.6, 0.9, draw) }), // prettier-ignore
  },
  'threshold of a label': {
    worlds: boxes,
    says: saysThresholds,
    with: (side, draw) => has(side, { label_confidences: { person: 0.5, dog: 0.5, cup: 0.5, [pick(names, draw)]: hundredth(0.65, 0.9, draw) } }), // prettier-ignore
  },
  remap: {
    worlds: boxes,
    says: /remap_output_names/,
    with: (side) => has(side, { remap_output_names: { location: 'location', category: 'score', score: 'category' } }),
  },
  model: {
    worlds: real,
    says: /model file there/,
    with: (side, draw, world) => ({ ...side, session: (world === 'classifier' ? classifier : detector)(hundredth(1.4, 2, draw)) }), // prettier-ignore
  },
} as const satisfies Readonly<Record<string, Fault>>;

type FaultName = keyof typeof faults;
const faultNames = Object.keys(faults) as FaultName[];

/** The verdict on the reasons given for a bench that differs by some faults. */
type Named =
  /** each of them, and nothing else */
  | 'right'
  /** that several things differ, or that it is not known */
  | 'several'
  /** one of two, as if it were all */
  | 'one of them'
  /** something that does not differ */
  | 'wrong';

interface Trial {
  readonly drawn: readonly FaultName[];
  readonly named: Named;
  readonly words: readonly string[];
}

const saysSeveral = /two or more things|cannot be seen|label_confidences name none/;

/** The reasons as a judge who knows what was injected sees them. */
function judge(drawn: readonly FaultName[], words: readonly string[]): Named {
  const said = words.join(' ');
  const patterns = [...new Set(faultNames.map((name) => faults[name].says))].filter((says) => says.test(said));
  const wanted = new Set(drawn.map((name) => faults[name].says));
  const [right, others] = [patterns.filter((says) => wanted.has(says)), patterns.filter((says) => !wanted.has(says))];
  if (words.length === 1 && others.length === 0 && right.length === wanted.size) return 'right';
  if (saysSeveral.test(said)) return 'several';
  if (others.length > 0) return 'wrong';
  return right.length > 0 ? 'one of them' : 'several';
}

/**
 * Draws one fault or two, each of which can be seen alone and beside the other, and asks for the reason; null: nothing can be seen of one of them.
 *
 * @param knowsModel whether the machine's own model can be asked
 */
async function tryDrawn(count: 1 | 2, draw: Draw, knowsModel = true): Promise<Trial | null> {
  const first = pick(faultNames, draw);
  const world = pick<World>(faults[first].worlds, draw);
  const isOther = (name: FaultName): boolean => faults[name].says !== faults[first].says && (faults[name].worlds as readonly World[]).includes(world); // prettier-ignore
  const drawn = count === 1 ? [first] : [first, pick(faultNames.filter(isOther), draw)];
  const seeds = drawn.map(() => 1e9 * draw());
  const feeding = world === 'bytes' ? {} : pick([{}, imageNet, unit], draw);
  const sound: Side =
    world === 'classifier'
      ? { attributes: feeding, labels: classes, session: classifier() }
      : { attributes: { ...half, ...feeding }, labels: names, session: detector(1, world === 'bytes' ? 'uint8' : 'float32') }; // prettier-ignore
  const withFault = (side: Side, at: number): Side =>
    (faults[drawn[at]!] as Fault).with(side, randomSource(seeds[at]!), world);
  const faulty = drawn.reduce((side, _, at) => withFault(side, at), sound);
  const [there, here] = draw() < 0.5 ? [faulty, sound] : [sound, faulty];
  const { reasons, apart } = await proven(there, here, knowsModel);
  if (apart === 0) return null;
  // What cannot be seen beside the other, or once the other is mended, is named by nobody.
  for (const at of count === 2 ? [0, 1] : []) {
    const only = withFault(sound, at);
    for (const other of [sound, faulty]) if ((await proven(other, only)).apart === 0) return null;
  }
  const words = reasons.map(({ words: text }) => text);
  return { drawn, named: judge(drawn, words), words };
}

interface Tried {
  readonly right: number;
  readonly of: number;
  /** named something that does not differ, or one of two as if it were all */
  readonly wrong: number;
  /** those not named right, in words, the wrong ones first */
  readonly others: readonly string[];
}

/** Tries so many sets of one fault or two. */
export async function tryMany(
  wanted: number,
  { count, seed, knowsModel = true }: { readonly count: 1 | 2; readonly seed: number; readonly knowsModel?: boolean },
): Promise<Tried> {
  const draw = randomSource(seed);
  const trials: Trial[] = [];
  while (trials.length < wanted) {
    const trial = await tryDrawn(count, draw, knowsModel);
    if (trial) trials.push(trial);
  }
  const [wrong, several] = [trials.filter(isWrong), trials.filter(({ named }) => named === 'several')];
  const others = [...wrong, ...several].map(({ drawn, words }) => `${drawn.join(' and ')}: ${words.join(' | ')}`);
  return { right: wanted - others.length, of: wanted, wrong: wrong.length, others };
}

const isWrong = ({ named }: Trial): boolean => named === 'wrong' || named === 'one of them';
