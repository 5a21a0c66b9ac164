import { doubtLabels, type KnownClasses } from '../../../models/fit/interpretations/doubt-labels.ts';
import { parseLabels } from '../../../machine/vision/face/results.ts';
import type { ConfigState } from '../config/config-state.svelte.ts';
import type { SeenFrame } from '../session/seen-frame.ts';
import type { SessionState } from '../session/session-state.svelte.ts';
import { detectionCountOf, valueCountOf } from './class-counts.ts';
import type { LabelsState } from './labels-state.svelte.ts';
import type { ModelsState } from './models-state.svelte.ts';
import { readLabelText } from './read-label-file.ts';

/** What became of a label list; `leftOut`: the reason why it is not taken. */
export type ListAnswer = 'taken' | 'asked' | { readonly leftOut: string };

/** What taking a label list uses of the bench. */
export interface LabelListBench {
  readonly config: Pick<ConfigState, 'broken'>;
  readonly labels: LabelsState;
  readonly models: Pick<ModelsState, 'of' | 'loading' | 'settled'>;
  readonly session: Pick<SessionState, 'report' | 'ranWith'> & {
    readonly history: { readonly results: readonly SeenFrame[] };
  };
  readonly serviceName: string;
}

/**
 * Takes a file as the label list of the tuned service; where it does not seem to fit its model, the person is asked.
 * @param cameWithModel it was dropped with the model: the list in force may be that of another one
 */
export async function takeLabelFile(
  bench: LabelListBench,
  file: File,
  { cameWithModel = false, from = file.name } = {},
): Promise<ListAnswer> {
  const text = await readLabelText(file);
  if (text === null) return { leftOut: 'it has no text in UTF-8, which the machine reads' };
  // A list that comes while a model loads is for that model.
  const isForNext = bench.models.loading !== null;
  await bench.models.settled();
  return takeLabelText(bench, text, { from, fileName: file.name, cameWithModel: cameWithModel || isForNext });
}

/** Like `takeLabelFile`, for a text that was read or typed. */
export function takeLabelText(
  bench: LabelListBench,
  text: string,
  given: { readonly from: string; readonly fileName?: string; readonly cameWithModel?: boolean },
): ListAnswer {
  const { labels, serviceName: service } = bench;
  if (bench.config.broken) return { leftOut: 'the configuration cannot be read: fix it, then give the list again' };
  const list = parseLabels(text);
  const known = knownClasses(bench, given.cameWithModel ?? false);
  const { from, fileName } = given;
  if (list.length === 0 && fileName !== undefined) return { leftOut: 'it has no labels' };
  const doubt = list.length === 0 ? '' : doubtLabels(text, known);
  if (doubt === '') {
    labels.give(service, list, from, { fileName });
    return 'taken';
  }
  labels.ask({ service, labels: list, from, fileName, doubt, hasFormer: labels.of(service) !== null });
  return 'asked';
}

function knownClasses({ labels, models, session, serviceName }: LabelListBench, isOfAnother: boolean): KnownClasses {
  const model = models.of(serviceName);
  const list = labels.of(serviceName);
  const isReported = model !== null && session.ranWith(serviceName, model.modelId);
  const { classifier } = (isReported && session.report) || {};
  const results = isReported ? session.history.results : [];
  // A raw head that the machine takes for a classifier has no classes.
  const values = classifier?.code === '' ? results.at(-1)?.classifications?.score.length : undefined;
  const refusedValues = classifier?.code === 'label-count' ? valueCountOf(model) : null;
  return {
    classCount: values ?? refusedValues,
    detectionCount: detectionCountOf(model),
    own: model?.labels ?? null,
    former: isOfAnother ? null : list,
    highest: highestClass(results, list !== null),
  };
}

/** @param isListed whether the labels of the frames are those of a list, in which a label's place is its class */
function highestClass(results: readonly SeenFrame[], isListed: boolean): number | null {
  let highest: number | null = null;
  for (const { detections } of results) {
    for (let row = 0; row < (detections?.count ?? 0); row++) {
      const at = detections!.labelIndex[row]!;
      highest = Math.max(highest ?? 0, isListed ? at : Number(detections!.labels[at]));
    }
  }
  return highest;
}
