import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { ImageDrift } from '../../evidence/certificate/image-drift.ts';
import { compareFrames, isDependenceOpen, type DriftReport } from '../../evidence/drift/compare-frames.ts';
import { writeDriftReference, type DriftReference } from '../../evidence/drift/drift-reference.ts';
import { sameCameras } from '../../evidence/drift/same-cameras.ts';
import {
  chanceText,
  doubtText,
  driftFacts,
  openText,
  shiftText,
  untestedText,
  verdictText,
} from '../../evidence/drift/words.ts';
import { requireDetector } from '../../machine/vision/face/filters.ts';
import type { DriftArguments } from './evaluate-records.ts';
import { CliError } from '../record/cli-error.ts';
import { answererOf, measureSide, readKept, requireNoOtherFile, type MeasuredFrames } from './drift-frames.ts';
import { openService } from './evaluate.ts';
import { sayFailed } from './see-frames.ts';
import type { Terminal } from '../shared/run-frames.ts';

/**
 * Runs `sightglass drift`: compares later frames with those of a reference, and names the frames that drive a shift.
 * @param command parsed arguments
 * @param terminal receives one object; what was found is said, too
 * @returns exit code: 1 where a feature shifted or a frame failed, otherwise 0, also where no shift can be told from chance
 * @throws CliError, CocoFileError, DatasetError, DriftReferenceError, MachineError, InferenceError
 * @example
 * const side = { split: null, resultsPath: null, threshold: 0.5 };
 * const command = { reference: { ...side, path: 'missing.json' }, later: { ...side, path: 'june' }, service: null, keepPath: null };
 * await drift(command, { print() {}, say() {} }); // throws: missing.json
 */
export async function drift(command: DriftArguments, { print, say }: Terminal): Promise<number> {
  const { level, service, keepPath } = command;
  const { path } = command.reference;
  if (keepPath !== null) await requireNoOtherFile(keepPath);
  const kept = await readKept(path);
  const opened = service && (await openService(service, say));
  if (opened) requireDetector(opened.probed);
  const measured = kept ? null : await measureSide(command.reference, opened, { ...command, say });
  const answeredBy = {
    reference: kept ? kept.answeredBy : answererOf(command.reference, opened),
    later: answererOf(command.later, opened),
  };
  const made = { name: basename(path), keptAt: new Date().toISOString(), answeredBy: answeredBy.reference };
  const reference = kept ?? { ...made, ...measured! };
  const later = await measureSide(command.later, opened, { ...command, say });
  const { frames, ownCount } = laterFrames(reference, later);
  for (const [side, of] of [
    [reference, path],
    [later, command.later.path],
  ] as const)
    // prettier-ignore
    if (side.frames.length === 0) throw new CliError('no-frames', `"${of}" has no frames to compare.`);
  if (frames.length === 0)
    throw new CliError('no-frames', `All frames of "${command.later.path}" are frames of the reference itself: give later ones.`); // prettier-ignore
  if (keepPath !== null) await writeFile(keepPath, writeDriftReference(reference));
  const report = compareFrames({ reference: reference.frames, later: frames, answeredBy }, { level });
  const { shifts, referenceCount, referenceUnits, laterUnits } = report;
  const open = command.areIndependent ? [] : [reference.frames, frames].filter(isDependenceOpen);
  const found = driftOf({ ...report, canTell: report.canTell && open.length === 0 }, reference.images, command.later.path, later); // prettier-ignore
  const failed = [...(measured?.failed ?? []), ...later.failed];
  print({
    reference: path,
    runtime: opened?.runtime ?? null,
    ...found,
    referenceCount,
    referenceUnits,
    laterUnits,
    ownCount,
    shifts,
    failed,
  });
  sayReport(report, say);
  if (open.length > 0) say(whyDependent);
  if (ownCount > 0) say(`${ownCount} of the later frames are frames of the reference itself; they are left out.`);
  if (answeredBy.reference !== answeredBy.later) say(whyPicturesOnly);
  if (found.imagesSha256 === null) say(whyNoImages(reference));
  sayFailed(failed, 'are not compared', say);
  return (found.canTell && found.shifted.length > 0) || failed.length > 0 ? 1 : 0;
}

/** Frames of the reference itself are no later ones. */
function laterFrames(reference: Pick<DriftReference, 'frames'>, later: Pick<DriftReference, 'frames'>) {
  const own = new Set(reference.frames.map(({ id }) => id));
  const frames = later.frames.filter(({ id }) => !own.has(id));
  return { frames, ownCount: later.frames.length - frames.length };
}

const whyDependent = `${openText} If each frame shows another scene or time, say so by --independent-frames.`;
const whyPicturesOnly =
  'The boxes of the two sides are not of the same service and models, or a model’s on one side and labels on the other: only the pictures are compared.';

/** What of a comparison concerns certificates: a reference's own images are no later ones. */
function driftOf(
  report: DriftReport,
  reference: DriftReference['images'],
  laterPath: string,
  { images, untilMs }: MeasuredFrames,
): ImageDrift {
  return {
    imagesSha256: reference === null || reference.sha256 === images.sha256 ? null : reference.sha256,
    comparedAt: new Date().toISOString(),
    later: laterPath,
    isSameCamera: reference && sameCameras(reference.cameras, images.cameras),
    laterUntil: untilMs === null ? null : new Date(untilMs).toISOString(),
    ...driftFacts(report),
  };
}

const whyNoImages = ({ images }: Pick<DriftReference, 'images'>): string =>
  images === null
    ? 'The reference does not record its images, so the comparison tells nothing about a certificate: keep it again.'
    : 'Both sides are the same images, so the comparison tells nothing about a certificate.';

const mostNamed = 5;

function sayReport(report: DriftReport, say: (text: string) => void): void {
  for (const shift of report.shifts.filter(({ isShift }) => isShift)) {
    const { frames, adjustedP } = shift;
    const named = frames.slice(0, mostNamed).map(({ name }) => name);
    const rest = frames.length > named.length ? ' …' : '';
    const whose = frames[0]?.side === 'reference' ? 'frames of the reference' : 'frames';
    say(`${shiftText(shift)}, adjusted p ${chanceText(adjustedP)}; ${whose}: ${named.join(', ')}${rest}`);
  }
  const doubt = doubtText(report);
  if (doubt !== '') say(doubt);
  if (report.untested.length > 0) say(untestedText(report.untested));
  say(verdictText(report));
}
