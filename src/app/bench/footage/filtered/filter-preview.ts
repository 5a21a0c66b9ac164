import type { FilterSetting } from '../../../../evidence/footage/filtered/filtered-play.ts';
import { FilteredRunPlay, type FilteredRun } from '../../../../evidence/footage/filtered/filtered-run.ts';
import type { FootageFrame } from '../../../../evidence/footage/footage-frame.ts';
import { serviceFilter, type ServiceFilterRule } from '../../../../machine/vision/face/filters.ts';
import { FramesPlay } from '../frames-play.svelte.ts';
import type { RunFrames } from '../run-frames.ts';

/** A vision service, and what it said of the footage. */
export interface SeenFootage {
  readonly service: string;
  readonly frames: RunFrames;
  /** the service's own thresholds, which come before the filter */
  readonly thresholds: ServiceFilterRule;
}

/** The frames to play to a filtered camera, and how. */
export interface FilterOrder extends SeenFootage {
  readonly durationMs: number;
  /** other services, on the same frames */
  readonly others: readonly SeenFootage[];
  readonly setting: FilterSetting;
}

/** What a filtered camera would keep of the frames that were run. Whoever changes the camera or a threshold asks again. */
export const filterPreview = (): FramesPlay<FilterOrder, FilteredRun> =>
  new FramesPlay(
    (order) => {
      const { durationMs, service, others, setting } = order;
      const filters = [order, ...others].map((one) => [one.service, serviceFilter(one.thresholds)] as const);
      const play = new FilteredRunPlay(setting, Object.fromEntries(filters));
      const beside = others.map((other) => [other.service, inStep(other.frames)] as const);
      return {
        async add(frame) {
          const results: Record<string, FootageFrame> = { [service]: frame };
          for (const [name, at] of beside) {
            const found = await at(frame.index);
            if (found) results[name] = found;
          }
          play.add(frame, results);
        },
        end: () => play.end(durationMs),
      };
    },
    (before, now) => before.service !== now.service,
  );

/** Finds the frames of rising numbers. null: that one is not there. */
function inStep(frames: RunFrames): (index: number) => Promise<FootageFrame | null> {
  const all = frames.all();
  let next: FootageFrame | null = null;
  return async (index) => {
    while (!next || next.index < index) {
      const { done, value } = await all.next();
      if (done) return null;
      next = value;
    }
    return next.index === index ? next : null;
  };
}
