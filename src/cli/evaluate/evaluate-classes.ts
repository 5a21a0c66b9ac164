import { writeFile } from 'node:fs/promises';
import { type ClassifiedImage, summarizeClasses } from '../../evidence/evaluation/face/classification.ts';
import { classReportText, type ReportSubject } from '../../evidence/evaluation/face/report.ts';
import type { EvaluateArguments } from './evaluate-records.ts';
import type { TrueFrames } from './read-truth.ts';
import type { Terminal } from '../shared/run-frames.ts';
import { missedClassFloors, missedInWords } from './score-floors.ts';
import { runEach, sayFailed, type SeeingMachine } from './see-frames.ts';

/**
 * Evaluates a vision service that only classifies: accuracy, top-k, precision and recall of each label, calibration.
 * @returns exit code: 1 where a figure lies below its floor or a frame failed, otherwise 0
 */
export async function evaluateClasses(
  { dataPath, floors, report }: Pick<EvaluateArguments, 'dataPath' | 'floors' | 'report'>,
  subject: ReportSubject,
  {
    frames: { frames },
    runtime,
    ...seeing
  }: SeeingMachine & { readonly frames: TrueFrames; readonly runtime: string | null },
  { print, say }: Terminal,
): Promise<number> {
  const images: ClassifiedImage[] = [];
  let labels: readonly string[] = [];
  const failed = await runEach(frames, seeing, say, ({ classifications, tags }, _, { result }) => {
    const said = result?.classifications ?? null;
    if (images.length === 0 && said) labels = said.labels;
    images.push({ truth: [...classifications.map(({ label }) => label), ...tags], scores: said?.score ?? null });
  });
  const summary = summarizeClasses(labels, images);
  if (summary.images === 0 && failed.length < frames.length)
    say(`No picture of "${dataPath}" has a label that the model can report: are they spelt alike on both sides?`);
  const missed = missedClassFloors(floors, summary);
  if (report !== null) await writeFile(report.path, classReportText(subject, summary, report.format));
  print({ data: dataPath, runtime, ...summary, failed, missed });
  for (const one of missed) say(missedInWords(one));
  sayFailed(failed, 'are in no figure', say);
  return missed.length > 0 || failed.length > 0 ? 1 : 0;
}
