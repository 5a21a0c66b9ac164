import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { ImageDrift } from '../certificate/image-drift.ts';
import { compareFrames, type DriftReport } from '../drift/compare-frames.ts';
import { writeDriftReference, type DriftReference } from '../drift/drift-reference.ts';
import { sameCameras } from '../drift/same-cameras.ts';
import { chanceText, doubtText, shiftText, verdictText } from '../drift/words.ts';
import { requireDetector } from '../vision/vision-service.ts';
import type { Command } from './arguments.ts';
import { CliError } from './cli-error.ts';
import { measureSide, readKept, type MeasuredFrames } from './drift-frames.ts';
import { openService } from './evaluate.ts';
import type { Terminal } from './run-frames.ts';

type DriftCommand = Extract<Command, { readonly name: 'drift' }>;

/**
 * Runs `sightglass drift`: compares later frames with those of a reference, and names the frames that drive a shift.
 * @param command parsed arguments
 * @param terminal receives one object; what was found is said, too
 * @returns exit code: 1 where a feature shifted or a frame failed, otherwise 0, also where nothing can be told
 * @throws CliError, CocoFileError, DatasetError, DriftReferenceError, MachineError, InferenceError
 * @example
 * const side = { split: null, resultsPath: null, threshold: 0.5 };
 * const command = { reference: { ...side, path: 'missing.json' }, later: { ...side, path: 'june' }, service: null };
 * await drift(command, { print() {}, say() {} }); // throws: missing.json
 */
export async function drift(command: DriftCommand, { print, say }: Terminal): Promise<number> {
  const { level, service, keepPath } = command;
  const { path } = command.reference;
  const kept = await readKept(path);
  const opened = service && (await openService(service, say));
  if (opened) requireDetector(opened.probed);
  const measured = kept ? null : await measureSide(command.reference, opened, say);
  const reference = kept ?? { name: basename(path), keptAt: new Date().toISOString(), ...measured! };
  const later = await measureSide(command.later, opened, say);
  for (const [frames, of] of [
    [reference.frames, path],
    [later.frames, command.later.path],
  ] as const)
    // prettier-ignore
    if (frames.length === 0) throw new CliError('no-frames', `"${of}" has no frames to compare.`);
  if (keepPath !== null) await writeFile(keepPath, writeDriftReference(reference));
  const isAnswered = opened !== null || command.later.resultsPath !== null;
  const report = compareFrames({ reference: reference.frames, later: later.frames }, { level, isAnswered });
  const { shifts, untested, referenceCount, referenceUnits, laterUnits } = report;
  const found = driftOf(report, reference.images, command.later.path, later.images);
  const failed = [...(measured?.failed ?? []), ...later.failed];
  print({ reference: path, ...found, level, referenceCount, referenceUnits, laterUnits, shifts, untested, failed });
  sayReport(report, say);
  if (isScored(reference) !== isScored(later))
    say('Boxes of one side have scores and those of the other have none: a model’s answers are compared with labels.');
  if (found.imagesSha256 === null) say(whyNoImages(reference));
  if (failed.length > 0) say(`${failed.length} frames failed; they are not compared.`);
  return found.shifted.length > 0 || failed.length > 0 ? 1 : 0;
}

/** What of a comparison concerns certificates: a reference's own images are no later ones. */
function driftOf(
  { laterCount, canTell, shifts }: DriftReport,
  reference: DriftReference['images'],
  laterPath: string,
  later: MeasuredFrames['images'],
): ImageDrift {
  return {
    imagesSha256: reference === null || reference.sha256 === later.sha256 ? null : reference.sha256,
    comparedAt: new Date().toISOString(),
    later: laterPath,
    laterCount,
    isSameCamera: reference && sameCameras(reference.cameras, later.cameras),
    canTell,
    shifted: shifts.filter(({ isShift }) => isShift).map(shiftText),
  };
}

const whyNoImages = ({ images }: Pick<DriftReference, 'images'>): string =>
  images === null
    ? 'The reference does not tell its images apart, so the comparison says nothing of a certificate: keep it again.'
    : 'Both sides are the same images, so the comparison says nothing of a certificate.';

/** null: there are no boxes. */
function isScored({ frames }: Pick<DriftReference, 'frames'>): boolean | null {
  const boxes = frames.flatMap((frame) => frame.boxes);
  return boxes.length === 0 ? null : boxes.some(({ score }) => score !== null);
}

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
  say(verdictText(report));
}
