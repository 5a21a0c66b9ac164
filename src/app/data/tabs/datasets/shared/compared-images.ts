import type { ImageDrift } from '../../../../../evidence/certificate/image-drift.ts';
import { imagesSha256 } from '../../../../../evidence/certificate/images-sha256.ts';
import type { PictureScan } from '../../../../../evidence/datasets/face/health.ts';
import { dependentPictures, groupNames, recordedGroup } from '../../../../../evidence/datasets/face/independence.ts';
import { sequenceOf } from '../../../../../evidence/datasets/face/items.ts';
import type { DriftReport } from '../../../../../evidence/drift/compare-frames.ts';
import type { DriftReference, ReferenceImages } from '../../../../../evidence/drift/drift-reference.ts';
import { featuresOf, type FrameFeatures } from '../../../../../evidence/drift/frame-features.ts';
import { sameCameras, type Cameras } from '../../../../../evidence/drift/same-cameras.ts';
import { driftFacts } from '../../../../../evidence/drift/words.ts';
import type { StoredPicture } from '../../../annotate/saving/stored-pictures.ts';

/** By picture id. */
export type Scans = ReadonlyMap<string, Pick<PictureScan, 'statistics' | 'hash'>>;

/**
 * The features by which pictures are compared.
 *
 * @param areIndependent a person says that each picture of which nothing is recorded is of another scene or time
 */
export function framesOf(
  pictures: readonly StoredPicture[],
  scans: Scans,
  areIndependent: boolean,
): readonly FrameFeatures[] {
  const set = pictures.map(({ contentId, fileName: name, tags, timeMs, source }) => ({
    recorded: recordedGroup(sequenceOf(tags), timeMs, source),
    name,
    hash: scans.get(contentId)?.hash ?? null,
  }));
  const groups = groupNames(dependentPictures(set, areIndependent), set);
  return pictures.map(({ contentId: id, fileName: name, boxes }, at) =>
    featuresOf({ id, name, group: groups[at]!, boxes, statistics: scans.get(id)?.statistics ?? null }),
  );
}

/** Which pictures these are. */
export const imagesOf = (pictures: readonly StoredPicture[]): ReferenceImages => ({
  sha256: imagesSha256(pictures.map(({ fileName: name, sizeBytes }) => ({ name, sizeBytes }))),
  cameras: camerasOf(pictures),
});

const camerasOf = (pictures: readonly StoredPicture[]): Cameras => [...new Set(pictures.map(({ source }) => source))];

/** The pictures that are not those of the reference itself. */
export function laterThan(
  { frames }: Pick<DriftReference, 'frames'>,
  pictures: readonly StoredPicture[],
): readonly StoredPicture[] {
  const own = new Set(frames.map(({ id }) => id));
  return pictures.filter(({ contentId }) => !own.has(contentId));
}

/** What of a comparison concerns certificates. */
export function imageDrift(
  report: DriftReport,
  reference: ReferenceImages | null,
  { name, pictures, nowMs }: { readonly name: string; readonly pictures: readonly StoredPicture[]; readonly nowMs: number }, // prettier-ignore
): ImageDrift {
  const untilMs = Math.max(...pictures.map(({ timeMs }) => timeMs ?? -Infinity));
  return {
    imagesSha256: reference?.sha256 ?? null,
    comparedAt: new Date(nowMs).toISOString(),
    later: name,
    isSameCamera: reference && sameCameras(reference.cameras, camerasOf(pictures)),
    laterUntil: untilMs > 0 ? new Date(untilMs).toISOString() : null,
    ...driftFacts(report),
  };
}
