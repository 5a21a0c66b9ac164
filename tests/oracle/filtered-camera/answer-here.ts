import { decodeFilteredCamera } from '../../../src/machine/config/parse/parse-filtered-camera.ts';
import type { SeenByServices } from '../../../src/machine/vision/filtered-camera/decide-image.ts';
import { FilterTally } from '../../../src/machine/vision/filtered-camera/filter-counts.ts';
import { filterRule } from '../../../src/machine/vision/filtered-camera/filter-rule.ts';
import { filterStart, filterStep } from '../../../src/machine/vision/filtered-camera/filter-step.ts';
import type { FilterSequence } from './sequences.ts';

/** What becomes of a sequence, in few words: a refusal's key, or what each call of the data manager does, and the counts. */
export interface FilterAnswer {
  /** attributes that the reason of a refusal may name; null: not refused */
  readonly refused: readonly string[] | null;
  /** which services were asked about which image, what was kept, and when the data manager says it was captured */
  readonly captures: readonly string[];
  readonly stats: string;
}

/** Gives our answer. */
export function answerHere({ attributes, seen, events }: FilterSequence): FilterAnswer {
  const { value, errors } = decodeFilteredCamera(attributes);
  const refuse = (...refused: string[]): FilterAnswer => ({ refused, captures: [], stats: '' });
  if (errors.length > 0) return refuse(...errors.map(({ path }) => String(path[0])));
  const rule = filterRule(value);
  if ('code' in rule) return refuse(String(rule.path.at(-1)));
  let state = filterStart<string>();
  const tally = new FilterTally(rule);
  const captures: string[] = [];
  for (const { kind, timeMs, images } of events) {
    const asked: string[] = [];
    const step =
      kind === 'background'
        ? filterStep(rule, state, { kind, timeMs, images })
        : filterStep(rule, state, {
            kind,
            timeMs,
            images: images.map((image) => ({ image, seen: watched(image, seen[image]!, asked) })),
          });
    state = step.state;
    tally.add(step.outcome);
    if (kind === 'background') continue;
    const { verdict, kept, capturedAtMs } = step.outcome;
    captures.push(
      captureText(
        asked,
        verdict === 'failed',
        kept.map(({ annotations, ...image }) => ({
          ...image,
          annotations: annotations.map(({ label, score }) => [label, score]),
        })),
        capturedAtMs,
      ),
    );
  }
  return { refused: null, captures, stats: statsText(tally.counts.stats) };
}

/** The services' answers for an image, with a note of each question. */
function watched(image: string, seen: SeenByServices, asked: string[]): SeenByServices {
  return Object.fromEntries(
    Object.entries(seen).map(([name, said]) => [
      name,
      {
        get classifications() {
          asked.push(`${image} ${name} classifications 100`);
          return said.classifications;
        },
        get detections() {
          asked.push(`${image} ${name} objects`);
          return said.detections;
        },
      },
    ]),
  );
}

/** A line of the program's output. */
interface ProgramAnswer {
  readonly refused?: string;
  readonly outcomes?: readonly {
    readonly asked: readonly string[];
    readonly kept: readonly {
      readonly image: string;
      readonly timeMs: number;
      readonly annotations: readonly { readonly Label: string; readonly Score: number }[];
    }[];
    readonly capturedAtMs: number | null;
    readonly failed?: boolean;
  }[];
  readonly stats?: Stats;
}

interface Stats {
  readonly accepted: { readonly total: number; readonly vision: Readonly<Record<string, number>> | null };
  readonly rejected: { readonly total: number; readonly vision: Readonly<Record<string, number>> | null };
}

/** Reads the module's answer in the same words; of a refusal, the whole reason. */
export function answerThere(line: string): FilterAnswer {
  const { refused, outcomes = [], stats } = JSON.parse(line) as ProgramAnswer;
  if (refused !== undefined) return { refused: [refused], captures: [], stats: '' };
  const captures = outcomes.map(({ asked, kept, capturedAtMs, failed = false }) =>
    captureText(
      asked,
      failed,
      kept.map(({ annotations, ...image }) => ({
        ...image,
        annotations: annotations.map(({ Label, Score }) => [Label, Score]),
      })),
      capturedAtMs,
    ),
  );
  return { refused: null, captures, stats: stats ? statsText(stats) : '' };
}

function captureText(
  asked: readonly string[],
  failed: boolean,
  kept: readonly { image: string; timeMs: number; annotations: readonly unknown[] }[],
  capturedAtMs: number | null,
): string {
  const images = kept.map(({ image, timeMs, annotations }) => {
    const notes = annotations.length > 0 ? JSON.stringify(annotations) : '';
    return `${image}@${timeMs}${notes}`;
  });
  const at = capturedAtMs === null ? (failed ? 'failed' : 'none') : `at ${capturedAtMs}`;
  return `${asked.join(', ')} > ${[at, ...images].join(' ')}`;
}

function statsText({ accepted, rejected }: Stats): string {
  const text = ({ total, vision }: Stats['accepted']) =>
    [
      total,
      ...Object.entries(vision ?? {})
        .map(([label, count]) => `${label} ${count}`)
        .sort(),
    ].join(', ');
  return `${text(accepted)}; ${text(rejected)}`;
}

/** Whether both answers are equal; a refusal by the attribute that the module names, too. */
export function isSameAnswer(here: FilterAnswer, there: FilterAnswer): boolean {
  if (!here.refused || !there.refused) return JSON.stringify(here) === JSON.stringify(there);
  const reason = there.refused[0]!.toLowerCase();
  return here.refused.every((key) => reason.includes(key.toLowerCase()));
}
