import type { FilterSetting } from '../../../../evidence/footage/filtered/filtered-play.ts';
import { FilteredRunPlay, type FilteredRun } from '../../../../evidence/footage/filtered/filtered-run.ts';
import { serviceFilter } from '../../../../machine/vision/filter/service-filter.ts';
import type { ServiceFilterRule } from '../../../../machine/vision/filter/thresholds.ts';
import { FramesPlay } from '../frames-play.svelte.ts';
import type { RunFrames } from '../run-frames.ts';

/** What is played to a filtered camera, and how. */
export interface FilterOrder {
  readonly frames: RunFrames;
  readonly durationMs: number;
  /** name of the vision service that ran on the frames */
  readonly service: string;
  /** the service's own thresholds, which come before the filter */
  readonly thresholds: ServiceFilterRule;
  readonly setting: FilterSetting;
}

/** What a filtered camera would keep of the frames that were run. Whoever changes the camera or a threshold asks again. */
export const filterPreview = (): FramesPlay<FilterOrder, FilteredRun> =>
  new FramesPlay(
    ({ durationMs, service, thresholds, setting }) => {
      const play = new FilteredRunPlay(setting, service, serviceFilter(thresholds));
      return { add: (frame) => play.add(frame), end: () => play.end(durationMs) };
    },
    (before, now) => before.service !== now.service,
  );
