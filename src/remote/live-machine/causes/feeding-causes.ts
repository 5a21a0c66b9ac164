import { listFeedings } from '../../../models/fit/solver/list-hypotheses.ts';
import type { TensorDtype } from '../../../machine/vision/face/feeding.ts';
import { changed, type AttributeCause } from './service-cause.ts';
import type { TriedService } from './try-services.ts';

/** Where a model is fed bytes, mean and deviation are not applied. */
type Range = Pick<TriedService['config'], 'meanValue' | 'stdDev'>;

/** (v − 127) / 128 of a byte v, which some trainings take for −1 to 1. */
const aboutSigned: Range = {
  meanValue: [127, 127, 127].map((v) => v / 255),
  stdDev: [128, 128, 128].map((v) => v / 255),
};

/**
 * Services that feed the model otherwise: the other order of colours, then a usual mean or a usual deviation alone, then both, then all
 * three. One attribute comes before two.
 */
export function feedingCauses(present: TriedService, dtype: TensorDtype): readonly AttributeCause[] {
  const { config } = present;
  const colours = changed(present, { bgr: !config.bgr });
  if (dtype === 'uint8') return [colours];
  const listed = listFeedings({ ...config, fit: 'stretch' }, 'float32', null)
    .filter(({ changes }) => !changes.includes('letterbox') && !changes.includes('turn') && changes.length > 0)
    .map(({ feeding: { input } }) => input);
  const ranges: readonly Range[] = [...listed, aboutSigned];
  const byText = <Value>(values: readonly Value[]) => [...new Map(values.map((v) => [JSON.stringify(v), v])).values()];
  const isOther = (a: readonly number[], b: readonly number[]) =>
    JSON.stringify(a.slice(0, 3)) !== JSON.stringify(b.slice(0, 3));
  return [
    colours,
    ...byText(ranges.map(({ meanValue }) => meanValue))
      .filter((meanValue) => isOther(meanValue, config.meanValue))
      .map((meanValue) => changed(present, { meanValue })),
    ...byText(ranges.map(({ stdDev }) => stdDev))
      .filter((stdDev) => isOther(stdDev, config.stdDev))
      .map((stdDev) => changed(present, { stdDev })),
    ...ranges.map(({ meanValue, stdDev }) => changed(present, { meanValue, stdDev })),
    ...listed
      .filter(({ bgr }) => bgr !== config.bgr)
      .map(({ bgr, meanValue, stdDev }) => changed(present, { bgr, meanValue, stdDev })),
  ];
}
