import type { TransformStep } from '../../machine/config/face/machine-config.ts';
import { csvText } from '../evaluation/face/report.ts';
import type { ServiceFilter } from '../../machine/vision/face/filters.ts';
import { boxOnSource, keptResults, type FootageFrame } from './footage-frame.ts';

/**
 * Columns of the results: boxes in whole pixels of the frame that the service saw, and in fractions (0..1) of the source
 * picture, which are empty where the box lies outside of it. A frame that failed has one line with its error.
 */
export const resultsCsvHead: string = csvText([
  'frame,timeMs,name,label,score,xMin,yMin,xMax,yMax,sourceXMin,sourceYMin,sourceXMax,sourceYMax,error'.split(','),
]);

/**
 * @param frame that was run
 * @param steps of its camera
 * @param filter of the vision service
 * @returns one line of CSV (RFC 4180) for each box or class that is kept, '' for none
 */
export function resultsCsv(frame: FootageFrame, steps: readonly TransformStep[], filter: ServiceFilter): string {
  const { index, timeMs, name, failure } = frame;
  const start = [index, timeMs, name] as const;
  const none = (count: number): null[] => Array<null>(count).fill(null);
  if (failure) return csvText([[...start, ...none(10), failure.message]]);
  const { detections, classifications } = keptResults(frame, filter);
  const onSource = boxOnSource(frame, steps);
  return csvText([
    ...detections.map(({ label, score, ...box }) => {
      const place = onSource(box);
      const ends = place
        ? [place.xMinNormalized, place.yMinNormalized, place.xMaxNormalized, place.yMaxNormalized]
        : none(4);
      return [...start, label, score, box.xMin, box.yMin, box.xMax, box.yMax, ...ends, null];
    }),
    ...classifications.map(({ label, score }) => [...start, label, score, ...none(9)]),
  ]);
}
