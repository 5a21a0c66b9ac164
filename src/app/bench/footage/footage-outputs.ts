import { footageReportHtml, picturedChanges } from '../../../footage/footage-report.ts';
import { resultsCsv, resultsCsvHead } from '../../../footage/results-csv.ts';
import { endLine, frameLine, setupLine } from '../../../footage/run-lines.ts';
import { serviceFilter } from '../../../vision/filter/service-filter.ts';
import type { FootagePictures } from './footage-pictures.ts';
import type { FootageSession } from './footage-session.svelte.ts';

/** How many lines are joined at a time: a Blob of a million parts is slow. */
const linesAtOnce = 500;

/** Joins the text of frames, in parts that the browser may put on disk. */
function blobOf(head: string, frames: readonly string[], tail: string, type: string): Blob {
  const parts: Blob[] = [new Blob([head])];
  for (let from = 0; from < frames.length; from += linesAtOnce)
    parts.push(new Blob([frames.slice(from, from + linesAtOnce).join('')]));
  return new Blob([...parts, tail], { type });
}

/** Raw results, before the thresholds, as JSON Lines that the command line writes and reads too. */
export function resultsJsonl({ run }: FootageSession): Blob {
  const frames = run.frames.slice(0, run.count);
  const failed = frames.filter(({ failure }) => failure).length;
  const end = run.state.kind === 'done' ? endLine({ frames: frames.length, failed }) : '';
  return blobOf(run.setup ? setupLine(run.setup) : '', frames.map(frameLine), end, 'application/jsonl');
}

/** What the thresholds keep, a line a box or class. */
export function keptCsv({ run, steps, rule }: FootageSession): Blob {
  const filter = serviceFilter(rule);
  const rows = run.frames.slice(0, run.count).map((frame) => resultsCsv(frame, steps, filter));
  return blobOf(resultsCsvHead, rows, '', 'text/csv');
}

/** A page with totals, the timeline of each label, and pictures at changes. */
export async function reportPageOf(session: FootageSession, pictures: FootagePictures): Promise<Blob> {
  const { run, wholeDigest, footage } = session;
  const urls = new Map<number, string>();
  for (const { index } of picturedChanges(wholeDigest)) {
    const frame = run.frames[session.placeOf(index)];
    const url = frame && (await pictures.thumbnail(frame).catch(() => ''));
    if (url) urls.set(index, url);
  }
  const { setup } = run;
  const models = Object.entries(setup?.models ?? {}).map(
    ([service, { fileName, sha256, backend }]) =>
      [
        `Model of ${service}`,
        `${fileName}${backend ? ` (${backend})` : ''}${sha256 && `, SHA-256 ${sha256}`}`,
      ] as const,
  );
  const facts = [
    [footage.kind === 'video' ? 'Video' : 'Pictures', footage.name],
    ['Vision service', setup?.serviceName ?? ''],
    ['Camera', setup?.cameraName ?? 'none'],
    ...models,
    ['Whole run', run.state.kind === 'done' ? 'yes' : 'no, it was ended before'],
    ['Sightglass', setup?.version ?? ''],
  ] as const;
  const subject = { title: `Run over ${footage.name}`, facts, configText: setup?.configText ?? null };
  return new Blob([footageReportHtml({ subject, digest: wholeDigest, pictures: urls })], { type: 'text/html' });
}
