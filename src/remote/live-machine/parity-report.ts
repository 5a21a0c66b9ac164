import { base64Encode } from '@bufbuild/protobuf/wire';
import { withoutOrientation } from '../../evidence/datasets/face/image-size.ts';
import type { Detection } from '../../machine/vision/face/results.ts';
import type { AskingMethod } from './choose-asking.ts';
import { differenceInWords, notComparedIn, wholeVerdict } from './difference-words.ts';
import type { Proof, ProofExample } from './prove-frames.ts';

/** The machine, service and camera whose answers were compared. */
export interface ParitySubject {
  readonly address: string;
  /** version as the machine says it */
  readonly machineVersion: string;
  readonly visionName: string;
  /** '' = the service's own */
  readonly cameraName: string;
  readonly asked: AskingMethod;
  /** where inference ran here: "wasm", "webgpu", "native", or "on the machine" */
  readonly backend: string;
  /** the machine's own model ran for both sides */
  readonly isModelBorrowed: boolean;
  readonly modelFileName: string;
  readonly modelSha256: string;
  readonly configText: string;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
}

/** The report as data: everything but the pictures. */
export function parityJson(subject: ParitySubject, proof: Proof): object {
  const { examples, samples: _, ...figures } = proof;
  return {
    ...subject,
    startedAt: new Date(subject.startedAtMs).toISOString(),
    endedAt: new Date(subject.endedAtMs).toISOString(),
    ...figures,
    verdict: wholeVerdict(proof, subject.isModelBorrowed),
    notCompared: notComparedIn(proof, subject.isModelBorrowed),
    examples: examples.map(({ frame, image, comparison }) => ({
      frame,
      image: { mediaType: image.mediaType, sizeBytes: image.bytes.length },
      largestScoreDifference: comparison.largestScoreDifference,
      differences: comparison.differences,
    })),
  };
}

const wayInWords: Readonly<Record<AskingMethod, string>> = {
  'with-the-frame': 'for a frame and its results at once',
  'of-the-bytes':
    'for an image, then for the results of its bytes: this camera’s frames are encoded after the service saw them',
  'both-ways':
    'for a frame and its results, then for the results of its bytes: too few different pictures with results came to tell whether the service saw those bytes',
};

/** The report as one page that needs nothing beside it: figures, reasons, and the first frames that differ with both answers drawn. */
export function parityHtml(subject: ParitySubject, proof: Proof): string {
  const seconds = (subject.endedAtMs - subject.startedAtMs) / 1000;
  const facts: readonly (readonly [string, string])[] = [
    ['Machine', `${subject.address}, ${subject.machineVersion || 'version unknown'}`],
    ['Vision service', subject.visionName],
    ['Camera', subject.cameraName || 'the service’s own'],
    ['Asked', wayInWords[subject.asked]],
    ['Model here', `${subject.modelFileName}${subject.modelSha256 && `, SHA-256 ${subject.modelSha256}`}`],
    ['Inference here', subject.backend],
    ['When', `${new Date(subject.startedAtMs).toISOString()}, ${seconds.toFixed(1)} s`],
    ['Equal', String(proof.counts.equal)],
    ['Scores differ', String(proof.counts['scores-differ'])],
    ['Differ by rounding only', String(proof.counts.rounding)],
    ['Differ', String(proof.counts.differs)],
  ];
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escape(`Parity with ${subject.address}`)}</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color-scheme: light dark; }
th { text-align: left; padding-right: 1.5rem; font-weight: 600; } td { overflow-wrap: anywhere; }
svg { max-width: 100%; height: auto; } pre { overflow: auto; font-size: 13px; }
.here { stroke: #0a84ff; } .there { stroke: #ff7a00; stroke-dasharray: 6 4; } rect { fill: none; stroke-width: 2; }
</style>
<h1>Parity</h1>
<p><strong>${escape(wholeVerdict(proof, subject.isModelBorrowed))}</strong></p>
<table>${facts.map(([name, value]) => `<tr><th scope="row">${escape(name)}<td>${escape(value)}`).join('')}</table>
${listOf(
  'Likely reasons',
  proof.reasons.map(({ words, frames }) => `${words} (${frames} ${frames === 1 ? 'frame' : 'frames'})`),
)}
${proof.examples.map(exampleHtml).join('\n')}
<h2>Configuration</h2>
<pre>${escape(subject.configText)}</pre>
</html>
`;
}

function exampleHtml({ frame, image, here, there, comparison }: ProofExample): string {
  const source = `data:${image.mediaType};base64,${base64Encode(withoutOrientation(image.bytes))}`;
  const boxes = (rows: readonly Detection[], side: string): string =>
    rows
      .map(
        ({ xMin, yMin, xMax, yMax, label }) =>
          `<rect class="${side}" x="${xMin}" y="${yMin}" width="${Math.max(0, xMax - xMin)}" height="${Math.max(0, yMax - yMin)}"><title>${escape(label)}</title></rect>`,
      )
      .join('');
  const drawn =
    here.detections || there.detections
      ? `<p>Solid: here. Dashed: the machine.</p>
<svg role="img" aria-label="The frame with both answers drawn" viewBox="0 0 ${here.widthPx} ${here.heightPx}" width="${here.widthPx}" height="${here.heightPx}"><image href="${source}" />${boxes(here.detections ?? [], 'here')}${boxes(there.detections ?? [], 'there')}</svg>`
      : `<p><img alt="The frame" src="${source}"></p>`;
  return `<h2>Frame ${frame + 1}</h2>
${drawn}
${listOf('', comparison.differences.map(differenceInWords))}`;
}

function listOf(title: string, items: readonly string[]): string {
  if (items.length === 0) return '';
  return `${title && `<h2>${escape(title)}</h2>`}<ul>${items.map((item) => `<li>${escape(item)}`).join('')}</ul>`;
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => escapes[character]!);
