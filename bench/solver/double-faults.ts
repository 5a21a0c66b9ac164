import type { VisionServiceConfig } from '../../src/machine/config/parse/machine-config.ts';
import type { RankedHypothesis } from '../../src/models/fit/solver/rank-hypotheses.ts';
import { isDecided } from '../../src/models/fit/solver/rank-hypotheses.ts';
import type { Frame } from '../../src/machine/vision/frame/frame.ts';
import { faults, isRight, type Fault, type FaultyService } from './faults.ts';
import { looksRight } from './looks-right.ts';
import type { SolverModel } from './solver-model.ts';
import { solveFault, trialPorts } from './solver-trial.ts';

/** Orders that name the same corners in another place: the machine sorts them, so nothing is wrong. */
const harmless: readonly Fault[] = [
  [2, 3, 0, 1],
  [2, 1, 0, 3],
  [0, 3, 2, 1],
].map((exchanged) => ({
  name: `boxes: corners ${exchanged.join('')}`,
  change: null,
  inject: ({ kind, config }) => {
    if (kind !== 'detector') return null;
    const order = config.boxOrder ?? ([1, 0, 3, 2] as const);
    const boxOrder = order.map((coordinate) => exchanged[coordinate]!) as unknown as VisionServiceConfig['boxOrder'];
    return { config: { ...config, boxOrder } };
  },
}));

/** What a trial injects: one fault, or two that change different things. */
interface FaultSet {
  readonly name: string;
  readonly faults: readonly Fault[];
}

/** A fault set by lot; one in three is of one fault or of none. */
export function drawFaults(random: () => number): FaultSet {
  const all = [...faults, ...harmless];
  const draw = () => all[Math.floor(random() * all.length)]!;
  const first = draw();
  let second = draw();
  while (second.name === first.name || (second.change !== null && second.change === first.change)) second = draw();
  const drawn = random() < 1 / 3 ? [first] : [first, second];
  return { name: drawn.map(({ name }) => name).join(' + '), faults: drawn };
}

/** The service of a model with all faults of a set; null if one does not apply to the model. */
function serviceWith(model: SolverModel, { faults: all }: FaultSet): FaultyService | null {
  const { config, labels, session } = model;
  let faulty: FaultyService = { config, labels, session, turn: (frame) => frame };
  for (const fault of all) {
    const injected = fault.inject({ ...model, ...faulty });
    if (!injected) return null;
    const { turn } = faulty;
    const after = injected.turn;
    faulty = { ...faulty, ...injected, turn: after ? (frame) => after(turn(frame)) : turn };
  }
  return faulty;
}

interface SetTrial {
  readonly isSure: boolean;
  /** the first hypothesis names every fault that changes a result, with the right values, and nothing else */
  readonly isRight: boolean;
  /** what the first hypothesis changes */
  readonly best: string;
}

/** The verdict of the solver on a set of faults, told what the file or its family states; null if it does not apply. */
export async function trySet(model: SolverModel, set: FaultSet, frames: readonly Frame[]): Promise<SetTrial | null> {
  const faulty = serviceWith(model, set);
  if (!faulty) return null;
  const ranked = await solveFault(model, faulty, frames.map(faulty.turn), trialPorts());
  const [best] = ranked;
  if (!best) return { isSure: false, isRight: false, best: 'none' };
  const isSure = isDecided(ranked, 'unsure');
  return {
    isSure,
    isRight: await namesAll(best, model, set, frames),
    best: best.hypothesis.changes.join(' + ') || 'none',
  };
}

/** Faults that change no result need not be named: with none but these left, the service looks right. */
async function namesAll(
  best: RankedHypothesis,
  model: SolverModel,
  set: FaultSet,
  frames: readonly Frame[],
): Promise<boolean> {
  const { changes } = best.hypothesis;
  const isNamed = (fault: Fault): boolean =>
    fault.change !== null &&
    changes.includes(fault.change) &&
    isRight({ ...best, hypothesis: { ...best.hypothesis, changes: [fault.change] } }, fault, model);
  const named = set.faults.filter(isNamed);
  const extra = changes.filter(
    (change) =>
      !named.some((fault) => fault.change === change) && !(change === 'letterbox' && model.statedFeeding?.letterbox),
  );
  const left = set.faults.filter((fault) => !named.includes(fault));
  const remaining = serviceWith(model, { name: '', faults: left });
  const isLeftUnseen = left.length === 0 || (remaining !== null && (await looksRight(model, remaining, frames)));
  return extra.length === 0 && isLeftUnseen;
}
