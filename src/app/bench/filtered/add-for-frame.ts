import type { SeenPictures } from '../../../machine/config/face/recorder.ts';
import type { ConfigState } from '../config/config-state.svelte.ts';
import type { ResultsState } from '../results/results-state.svelte.ts';
import type { ThresholdsState } from '../thresholds/thresholds-state.svelte.ts';
import { FilteredCameraState, firstScores } from './filtered-camera-state.svelte.ts';

interface Stage {
  readonly config: ConfigState;
  readonly pictures: SeenPictures | null;
  readonly results: Pick<ResultsState, 'classifications' | 'detections' | 'isLabelKept' | 'labelsHere'>;
  readonly serviceName: string;
  readonly thresholds: Pick<ThresholdsState, 'thresholdOf'>;
}

/**
 * Adds a filtered camera of the service's camera, else of the first, that waits for what is kept on the stage: each label
 * from its threshold on, at least 0.5; any label where nothing is.
 * @throws EditError where the configuration has no place for it
 */
export function addForFrame(stage: Stage): void {
  const { config, results, serviceName, thresholds } = stage;
  const kind = results.classifications && !results.detections ? 'classifications' : 'objects';
  const labels = [...results.labelsHere.keys()].filter((label) => results.isLabelKept(label));
  const scores = firstScores(labels.map((label) => [label, thresholds.thresholdOf(label)]));
  const cameras = new FilteredCameraState(config, () => stage.pictures);
  cameras.add(config.cameraName ?? config.cameraNames[0] ?? '', serviceName, kind, scores);
}
