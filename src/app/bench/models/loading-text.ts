import type { LoadProgress } from '../../../../workers/vision/protocol.ts';
import type { Loading } from './models-state.svelte.ts';

const PHASES: Readonly<Record<LoadProgress['phase'], string>> = {
  asking: 'Asking the machine for',
  reading: 'Reading',
  hashing: 'Hashing',
  compiling: 'Compiling',
  'warming-up': 'Warming up',
  storing: 'Keeping',
};

/** "Reading model.onnx · 42 %" */
export function loadingText({ name, progress }: Loading): string {
  const doing = `${progress ? PHASES[progress.phase] : 'Opening'} ${name}`;
  const fraction = progress?.fraction ?? null;
  return fraction === null ? `${doing} …` : `${doing} · ${Math.round(fraction * 100)} %`;
}
