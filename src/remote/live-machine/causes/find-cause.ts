import { isTelling, sameModelTolerance } from '../compare-answers.ts';
import { inWords, type ReasonInWords } from '../likely-reasons.ts';
import type { ProofExample } from '../prove-frames.ts';
import { attributeCauses, pairsOf } from './attribute-causes.ts';
import { apartOf, otherProviderTolerance, Trying } from './confirm-cause.ts';
import { filterAndNames } from './filter-and-names.ts';
import { rowsOf } from './paired-rows.ts';
import { isSameModel } from './same-model.ts';
import { together, type AttributeCause, type ServiceCause } from './service-cause.ts';
import { solveFeeding } from './solve-feeding.ts';
import type { ModelRun, ServiceTrials, TriedService } from './try-services.ts';

/**
 * Finds what makes both sides say the same of all frames, by running them here with that changed: one thing, else whether the machine's
 * own model gives other numbers for the same tensor, else two things, or a mean and a deviation that nobody would guess. Where nothing
 * does, it says that more differs. null: the answers differ by what another provider makes.
 * @param frames some that differ, and some that agree: what explains the ones must leave the others
 */
export async function findCause(frames: readonly ProofExample[], trials: ServiceTrials): Promise<ReasonInWords | null> {
  const telling = frames
    .filter(({ comparison }) => isTelling(comparison))
    .toSorted((a, b) => rowsOf(b.there).length - rowsOf(a.there).length);
  const [first] = telling;
  if (!first) return null;
  const ordered = [first, ...frames.filter((frame) => frame !== first)];
  const found = await search(new Trying(ordered, trials), trials, telling);
  return found && { reason: found.reason, words: found.words };
}

async function search(
  trying: Trying,
  trials: ServiceTrials,
  telling: readonly ProofExample[],
): Promise<ReasonInWords | null> {
  const { present, inputs } = trials;
  const { image } = telling[0]!;
  const ran = await trials.run(image);
  const attributes = attributeCauses(present, inputs[0]?.dtype ?? 'float32', ran.outputs);
  const alone = await oneThing(trying, present, attributes);
  if (alone && alone.apart <= sameModelTolerance) return alone.cause;
  const model = await sameThere(ran, trials);
  if (model === 'no') return otherModel;
  // Scores stay apart only where the machine's runtime gives slightly other numbers, not the same ones.
  if (alone && model === 'nearly') return alone.cause;
  const found = (await severalThings(trying, present, attributes)) ?? (await unusualFeeding(trying, trials));
  if (found) return found;
  const isOtherProvider = telling.every(({ here, there }) => apartOf(here, there) <= otherProviderTolerance);
  return isOtherProvider && model !== 'exactly' ? null : inWords('more-than-one');
}

type Attributes = ReturnType<typeof attributeCauses>;

/** Labels and thresholds come first: they need no other run of the model, and are the simpler explanation. */
async function oneThing(trying: Trying, present: TriedService, { orders, remaps, feedings }: Attributes) {
  const named = await filterAndNames(trying, present);
  const alone = [...(named?.thresholds ?? []), ...(named?.label ? [named.label] : [])];
  for (const most of [sameModelTolerance, otherProviderTolerance]) {
    for (const causes of [alone, orders, remaps, feedings]) {
      const confirmed = await trying.first(causes, most);
      if (confirmed) return confirmed;
    }
  }
  return null;
}

/** At most so many services that give the machine's rows of one frame are tried on all frames. */
const mostTried = 24;

/** Two attributes, or a label file or a threshold besides one or two attributes, or both of these. */
async function severalThings(
  trying: Trying,
  present: TriedService,
  attributes: Attributes,
): Promise<ServiceCause | null> {
  const { orders, remaps, feedings } = attributes;
  const singles = [...orders, ...remaps, ...feedings];
  const besidePresent = await besides(trying, present, null);
  if (besidePresent) return besidePresent;
  const pairs = pairsOf(present, attributes);
  const likely = (await trying.withTheirRows([...singles, ...pairs])).slice(0, mostTried);
  const whole: AttributeCause[] = [];
  for (const cause of likely) if (await trying.first([cause], sameModelTolerance)) whole.push(cause);
  const [one, ...others] = whole;
  // Where two different explanations fit, neither is stated.
  if (one) return others.every((other) => keysOf(other) === keysOf(one)) ? one : null;
  for (const { service, differs } of likely) {
    const found = await besides(trying, service, differs);
    if (found) return found;
  }
  return null;
}

const keysOf = ({ changes }: AttributeCause): string => Object.keys(changes).toSorted().join();

/**
 * Looks for a label file or thresholds that differ in addition to the attributes of a service.
 * @param service with attributes that may be the machine's
 * @param differs these attributes, in words; null: they are those here
 */
async function besides(trying: Trying, service: TriedService, differs: string | null): Promise<ServiceCause | null> {
  const named = await filterAndNames(trying, service);
  if (!named) return null;
  const { thresholds, label, relabelled } = named;
  const lead = differs === null ? null : `${differs}.`;
  const more = (cause: ServiceCause): ServiceCause => (lead === null ? cause : together(lead, cause));
  const both = label
    ? relabelled.map((threshold) => together(lead === null ? label.words : `${lead} ${label.words}`, threshold))
    : [];
  const found = await trying.first(
    [...thresholds.map(more), ...(label ? [more(label)] : []), ...both],
    sameModelTolerance,
  );
  return found?.cause ?? null;
}

async function unusualFeeding(trying: Trying, trials: ServiceTrials): Promise<ServiceCause | null> {
  for (const cause of await solveFeeding(trying.frames, trials)) {
    const alone = await trying.first([cause], sameModelTolerance);
    const found = alone?.cause ?? (await besides(trying, cause.service, cause.differs));
    if (found) return found;
  }
  return null;
}

async function sameThere({ feeds, outputs }: ModelRun, { inferThere }: ServiceTrials) {
  const there = await inferThere?.(feeds).catch(() => null);
  return there ? isSameModel(outputs, there) : null;
}

const otherModel: ReasonInWords = {
  reason: 'other-model',
  words:
    'The model file there is another one: it gives other numbers for the same tensor. Put this file on the machine, or load the machine’s here. Whether anything else differs cannot be seen before.',
};
