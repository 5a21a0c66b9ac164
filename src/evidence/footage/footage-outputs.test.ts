import { describe, expect, it } from 'vitest';
import { classifiedFrame, failedFrame, footageFrame, runSetup } from '../../../tests/footage-frames.ts';
import type { Content } from '../datasets/item/dataset-item.ts';
import { serviceFilter } from '../../machine/vision/filter/service-filter.ts';
import { footageItem } from './footage-item.ts';
import { footageReportCsv, footageReportHtml, footageReportJson, picturedChanges } from './footage-report.ts';
import { resultsCsv, resultsCsvHead } from './results-csv.ts';
import { RunDigest } from './run-digest.ts';
import { timeText } from './time-text.ts';

const filter = serviceFilter(runSetup.filter);
const half = { type: 'resize', attributes: { widthPx: 50, heightPx: 25 } } as const;
const halved = footageFrame(2, [['cat', 0.9], ['dog', 0.2]], { stages: [{ step: -1, widthPx: 200, heightPx: 100 }, { step: 0, widthPx: 100, heightPx: 50 }] }); // prettier-ignore

describe('results as CSV', () => {
  it('have a line a box that is kept, on the frame that the service saw and on the source', () => {
    expect(resultsCsv(halved, [half], filter)).toBe('2,200,clip.mp4,cat,0.9,0,0,10,20,0,0,0.1,0.4,\r\n');
    expect(resultsCsvHead.split(',')).toHaveLength(14);
  });
  it('have a line a class, one for a failure, and none where nothing is kept', () => {
    const lines = [classifiedFrame(1, { open: 0.8, shut: 0.1 }), failedFrame(3), footageFrame(4, [['cat', 0.1]])];
    expect(lines.map((frame) => resultsCsv(frame, [], filter))).toEqual([
      '1,100,clip.mp4,open,0.8,,,,,,,,,\r\n',
      '3,300,clip.mp4,,,,,,,,,,,it ends early\r\n',
      '',
    ]);
  });
});

describe('a frame as a picture of a dataset', () => {
  const content: Content = { sizeBytes: 0, async *read() {} };
  const picture = { fileName: 'clip-2.png', content };
  const run = { steps: [half], filter, source: runSetup.source };

  it('has what is kept on the source picture, and its place in the video', () => {
    const item = footageItem(halved, picture, run);
    expect(item).toMatchObject({ fileName: 'clip-2.png', sizePx: { widthPx: 200, heightPx: 100 } });
    expect(item.sequence).toEqual({ name: 'clip.mp4', at: 2 });
    expect(item.boxes).toEqual([
      { id: `${'a'.repeat(16)}-2-0`, label: 'cat', confidence: 0.9, xMinNormalized: 0, yMinNormalized: 0, xMaxNormalized: 0.1, yMaxNormalized: 0.4 }, // prettier-ignore
    ]);
  });

  it('has the size of the whole picture where a camera cuts its last column, and no sequence in a folder', () => {
    const cut = footageFrame(0, [], { stages: [{ step: -1, widthPx: 100, heightPx: 50, uncut: { widthPx: 101, heightPx: 51 } }] }); // prettier-ignore
    const item = footageItem(cut, picture, { ...run, source: { ...runSetup.source, kind: 'folder' } });
    expect(item.sizePx).toEqual({ widthPx: 101, heightPx: 51 });
    expect(item).not.toHaveProperty('sequence');
  });

  it('has no confidence where the score is not a number', () => {
    const item = footageItem(footageFrame(0, [['cat', NaN]]), picture, { ...run, filter: serviceFilter({ defaultMinimumConfidence: 0, labelConfidences: {} }) }); // prettier-ignore
    expect(item.boxes[0]).not.toHaveProperty('confidence');
  });
});

describe('a report', () => {
  const digest = new RunDigest({ fromMs: 0, toMs: 400, bucketCount: 2 }, runSetup.filter, 0);
  for (const frame of [
    footageFrame(0, []),
    footageFrame(1, [['cat', 0.9], ['cat', 0.8], ['dog', 0.2]]), // prettier-ignore
    failedFrame(2),
    footageFrame(4, [['cat', 0.7]]),
  ])
    digest.add(frame);
  const subject = { title: 'Run of <clip>', facts: [['Video', 'clip.mp4']] as const, configText: null };
  const report = { subject, digest, pictures: new Map([[1, 'data:image/png;base64,AA==']]) };

  it('is a page with totals, timelines, pictures at changes and failures', () => {
    const page = footageReportHtml(report);
    expect(page).toContain('<h1>Run of &lt;clip&gt;</h1>');
    expect(page).toContain('<td>cat<td>0.5<td>2<td>3<td>2<td>0.900');
    expect(page.match(/<svg/g)).toHaveLength(2);
    // A score that only one bucket has is drawn, too.
    expect(page).toContain('d="M44.0 70.4h436.00"/>');
    expect(page).toContain('<img src="data:image/png;base64,AA==" alt="cat 0 → 2"');
    expect(page).toContain('<b>0:00.400</b> frame 4, clip.mp4<br>cat 2 → 1');
    expect(page).toContain('<td>2<td>clip.mp4<td>it ends early');
    expect(page).not.toMatch(/NaN|undefined/);
  });

  it('is the same as JSON and CSV', () => {
    expect(JSON.parse(JSON.stringify(footageReportJson(report)))).toMatchObject({
      frames: 4,
      failed: 1,
      failures: [{ index: 2, message: 'it ends early' }],
      labels: [
        { label: 'cat', threshold: 0.5, frames: 2, kept: 3, most: 2, timeline: { frames: [1, 1], most: [2, 1] } },
        { label: 'dog', frames: 0, kept: 0, timeline: { best: [Math.fround(0.2), null] } },
      ],
      changes: [
        { index: 1, counts: { cat: 2 }, before: {} },
        { index: 4, counts: { cat: 1 }, before: { cat: 2 } },
      ],
    });
    expect(footageReportCsv(report).split('\r\n')[1]).toMatch(/^cat,0.5,2,3,2,0.89/);
  });

  it('says how many of very many changes it shows', () => {
    const busy = new RunDigest({ fromMs: 0, toMs: 1e6, bucketCount: 2 }, runSetup.filter, 0);
    for (let at = 0; at < 500; at++) busy.add(footageFrame(at, at % 2 ? [['cat', 0.9]] : []));
    expect(picturedChanges(busy)).toHaveLength(120);
    expect(footageReportHtml({ ...report, digest: busy })).toContain('120 of 499 changes are shown.');
  });

  it('lists a thousand of the frames that failed, and counts all', () => {
    const broken = new RunDigest({ fromMs: 0, toMs: 1e6, bucketCount: 2 }, runSetup.filter, 0);
    for (let at = 0; at < 1500; at++) broken.add(failedFrame(at));
    const page = footageReportHtml({ ...report, digest: broken });
    expect(page).toContain('<td>999<td>');
    expect(page).not.toContain('<td>1000<td>');
    expect(page).toContain('The first 1000 of 1500 are listed');
    expect(page).toMatch(/Failed<td>1500/);
  });
});

it.each([
  [0, '0:00.000'],
  [7040.4, '0:07.040'],
  [59_999.7, '1:00.000'],
  [3_723_000, '1:02:03.000'],
])('writes %d ms as %s', (timeMs, text) => {
  expect(timeText(timeMs)).toBe(text);
});
