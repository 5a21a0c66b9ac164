import type { FootageFrame } from '../../../evidence/footage/footage-frame.ts';
import { footageReportHtml, picturedChanges } from '../../../evidence/footage/footage-report.ts';
import { resultsCsv, resultsCsvHead } from '../../../evidence/footage/results-csv.ts';
import { endLine, frameLine, setupLine } from '../../../evidence/footage/run-lines.ts';
import { serviceFilter } from '../../../machine/vision/face/filters.ts';
import type { FootagePictures } from './footage-pictures.ts';
import type { FootageSession } from './footage-session.svelte.ts';

/** So much text is joined at a time: a Blob of a million parts is slow. */
const partLength = 2 ** 20;

/** The text of frames as a file, in parts that the browser may put on disk. */
async function fileOf(
  head: string,
  frames: AsyncIterable<FootageFrame>,
  textOf: (frame: FootageFrame) => string,
  end: (frames: { readonly count: number; readonly failed: number }) => string,
  type: string,
): Promise<Blob> {
  const parts: Blob[] = [];
  let [text, count, failed] = [head, 0, 0];
  for await (const frame of frames) {
    text += textOf(frame);
    count++;
    if (frame.failure) failed++;
    if (text.length < partLength) continue;
    parts.push(new Blob([text]));
    text = '';
  }
  return new Blob([...parts, text, end({ count, failed })], { type });
}

/** Raw results, before the thresholds, as JSON Lines that the command line writes and reads too. */
export function resultsJsonl({ run }: FootageSession): Promise<Blob> {
  const isWhole = run.state.kind === 'done';
  return fileOf(
    run.setup ? setupLine(run.setup) : '',
    run.frames.all(),
    frameLine,
    ({ count, failed }) => (isWhole ? endLine({ frames: count, failed }) : ''),
    'application/jsonl',
  );
}

/** What the thresholds keep, a line a box or class. */
export function keptCsv({ run, steps, rule }: FootageSession): Promise<Blob> {
  const filter = serviceFilter(rule);
  const rowsOf = (frame: FootageFrame): string => resultsCsv(frame, steps, filter);
  return fileOf(resultsCsvHead, run.frames.all(), rowsOf, () => '', 'text/csv');
}

/** A page with totals, the timeline of each label, and pictures at changes. */
export async function reportPageOf(session: FootageSession, pictures: FootagePictures): Promise<Blob> {
  const { run, footage } = session;
  const digest = await session.digestAll();
  if (!digest) throw new Error(session.fault || 'The thresholds were changed meanwhile.');
  const urls = new Map<number, string>();
  for (const change of picturedChanges(digest)) {
    const url = await pictures.thumbnail(change).catch(() => '');
    if (url) urls.set(change.index, url);
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
  return new Blob([footageReportHtml({ subject, digest, pictures: urls })], { type: 'text/html' });
}
