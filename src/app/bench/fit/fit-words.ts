import { counted } from '../../kit/words/figures.ts';
import type { FitProgress, ModelRecognition } from '../../../../workers/fit/client.ts';

/** What a model is, in one sentence. */
export function recognitionWords(recognition: Exclude<ModelRecognition, { readonly kind: 'fits' }>): string {
  if (recognition.kind === 'unknown') {
    return 'This kind of model is not known here. If it detects, say what its outputs mean.';
  }
  if (recognition.kind === 'other') return recognition.seen;
  const classes = recognition.classCount > 0 ? ` of ${counted(recognition.classCount, 'class')}` : '';
  const noun = recognition.result === 'detections' ? 'detector' : 'classifier';
  const kind = recognition.name === noun ? '' : `, of the kind ${recognition.name}`;
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
