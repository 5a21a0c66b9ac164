import type { FitProgress, ModelLook } from '../../../workers/fit/client.ts';

/** What a model is, in one sentence. */
export function lookWords(look: Exclude<ModelLook, { readonly kind: 'fits' }>): string {
  if (look.kind === 'unknown') {
    return 'This is no kind of model that is known here. If it detects, say how its outputs are meant.';
  }
  const classes =
    look.classCount > 0
      ? ` of ${look.classCount.toLocaleString('en')} ${look.classCount === 1 ? 'class' : 'classes'}`
      : '';
  const noun = look.result === 'detections' ? 'detector' : 'classifier';
  const kind = look.name === noun ? '' : `, of the kind ${look.name}`;
  return `This is a ${noun}${classes}${kind}.`;
}

const phases: Readonly<Record<FitProgress['phase'], string>> = {
  reading: 'Reading the model',
  fitting: 'Writing the graph',
  judging: 'Asking what the machine’s module says',
};

export function progressWords(progress: FitProgress | null): string {
  return `${progress ? phases[progress.phase] : 'Beginning'} …`;
}
