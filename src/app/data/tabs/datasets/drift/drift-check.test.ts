import { photoHash } from '../../../../../../tests/photo-like.ts';
import { expect, it } from 'vitest';
import { openDataTab } from '../../../../../../tests/data-tab-fixture.ts';
import type { ImageDrift } from '../../../../../evidence/certificate/image-drift.ts';
import { imagesSha256 } from '../../../../../evidence/certificate/images-sha256.ts';
import { compareFrames } from '../../../../../evidence/drift/compare-frames.ts';
import type { StoredPicture } from '../../../annotate/saving/stored-pictures.ts';
import { DriftCheck } from './drift-check.svelte.ts';
import { changeText, doubtText, verdictText } from '../../../../../evidence/drift/words.ts';

const engine = { compareFrames: async (...[frames, level]: Parameters<DriftCheckEngine>) => compareFrames(frames, { level, permutations: 199 }) }; // prettier-ignore
type DriftCheckEngine = ConstructorParameters<typeof DriftCheck>[1]['compareFrames'];

const pictures = (count: number, label: string): readonly StoredPicture[] =>
  Array.from({ length: count }, (_, at) => ({
    contentId: `${label} ${at}`,
    fileName: `${label}${at}.jpg`,
    mimeType: 'image/jpeg',
    sizeBytes: 1,
    boxes: [{ label, xMinNormalized: 0, yMinNormalized: 0, xMaxNormalized: 0.5, yMaxNormalized: (at + 1) / count }],
    classifications: [],
    tags: [],
    capturedAt: null,
    timeMs: null,
    source: null,
    origin: { binaryDataId: '', organizationId: '', locationId: '', robotId: '', partId: '', componentName: '' },
  }));
const scansOf = (of: readonly StoredPicture[], brightness: number) =>
  new Map(
    of.map(({ contentId }, at) => [
      contentId,
      { hash: photoHash(at), statistics: { brightness: brightness + at / 1000, contrast: at / 100, sharpness: at } },
    ]),
  );

const uncounted = { add: () => expect.unreachable('nothing records the camera of these') };

it('keeps a reference in the data service, and compares other images with it', async () => {
  const { context, said } = await openDataTab();
  const [may, june] = [pictures(20, 'cup'), pictures(20, 'fork')];
  const keeping = new DriftCheck(context, engine, uncounted, () => Date.UTC(2026, 4, 1, 8, 30));
  await keeping.list();
  expect([keeping.references, keeping.chosenId]).toEqual([[], '']);
  await keeping.keep('Line 2', may, scansOf(may, 0.5));
  expect(said).toEqual(['Line 2 2026-05-01 08.30 is kept as reference.']);

  // Another visit finds it.
  const check = new DriftCheck(context, engine, uncounted);
  await check.list();
  expect(check.references!.map(({ name }) => name)).toEqual(['Line 2 2026-05-01 08.30']);
  await check.compare({ name: 'June', pictures: june, scans: scansOf(june, 0.2) });
  const { report, referenceName } = check.compared!;
  expect(referenceName).toBe('Line 2 2026-05-01 08.30');
  const shifted = report.shifts.filter(({ isShift }) => isShift);
  expect(shifted.map(({ feature }) => feature).sort()).toEqual(['brightness', 'labels']);
  expect(shifted.map(changeText).sort()).toEqual([
    'Median 21 % instead of 51 %',
    'cup on 0 % of the images instead of 100 %',
  ]);
  expect(report.untested).toEqual(['score']);
  expect(verdictText(report)).toBe(
    '2 of 6 features shifted: 20 images against 20 of the reference; where nothing changed, a comparison finds a shift in at most 5 % of cases.',
  );
  expect(doubtText(report)).toBe('');
  const none = { ...report, shifts: report.shifts.map((shift) => ({ ...shift, isShift: false })) };
  expect(verdictText(none)).toBe('No shift was found: 20 images against 20 of the reference.');
  expect(verdictText({ ...none, leastDarkening: 0.07 })).toContain('darker by 7 % of full brightness');
  expect(verdictText({ ...none, canTell: false })).toMatch(/^It cannot be told whether a feature shifted: 20 images/);
  // Other images or scans are another comparison, also while one is made.
  const comparing = check.compare({ name: 'June', pictures: june, scans: scansOf(june, 0.2) });
  check.changeData();
  expect(check.compared).toBeNull();
  await comparing;
  expect(check.compared).toBeNull();
  await check.compare({ name: 'June', pictures: june, scans: scansOf(june, 0.2) });
  expect(check.compared).not.toBeNull();
  // Another level is another comparison.
  check.setLevel(0.01);
  expect(check.compared).toBeNull();
});

it('tells nothing where images look alike, or were not looked at, unless a person says that each is of another scene', async () => {
  const { context } = await openDataTab();
  const [may, june] = [pictures(20, 'cup'), pictures(20, 'fork')];
  const check = new DriftCheck(context, engine, uncounted);
  const alike = new Map([...scansOf(june, 0.2)].map(([id, scan]) => [id, { ...scan, hash: 0n }]));
  await check.list();
  await check.keep('Line 2', may, scansOf(may, 0.5));
  for (const scans of [alike, new Map()]) {
    await check.compare({ name: 'June', pictures: june, scans });
    expect([check.compared!.isOpen, check.compared!.report.canTell, check.compared!.drift.canTell]).toEqual([true, false, false]); // prettier-ignore
  }
  check.setIndependent(true);
  expect(check.compared).toBeNull();
  await check.compare({ name: 'June', pictures: june, scans: alike });
  expect([check.compared!.isOpen, check.compared!.drift.canTell]).toEqual([false, true]);
});

it('says why a reference cannot be compared with', async () => {
  const { context } = await openDataTab();
  const check = new DriftCheck(context, engine, uncounted);
  const some = pictures(3, 'cup');
  await check.keep('Line 2', some, new Map());
  await check.compare({ name: 'Some', pictures: some, scans: new Map() });
  expect(check.failure!.message).toContain('All of these are images of the reference itself');
  const others = pictures(3, 'fork');
  await check.compare({ name: 'Others', pictures: [...some, ...others], scans: new Map() });
  expect(check.compared!.ownCount).toBe(3);
  expect(doubtText(check.compared!.report)).toMatch(/^So few \(3 against 3\) cannot tell/);
  await context.data.deleteBinaryDataByIDs({ binaryDataIds: [check.chosenId] });
  await check.compare({ name: 'Some', pictures: some, scans: new Map() });
  expect(check.failure!.message).toContain('The reference was deleted');
  expect(check.busy).toBeNull();
});

it('counts for certificates where the images are recorded to be of the camera of the reference', async () => {
  const { context } = await openDataTab();
  const counted: ImageDrift[] = [];
  const check = new DriftCheck(context, engine, { add: (drift) => void counted.push(drift) }, () =>
    Date.UTC(2026, 5, 1),
  );
  const of = (label: string, source: string | null) =>
    pictures(20, label).map((one, at) => ({ ...one, source, timeMs: Date.UTC(2026, 4, 30) - 60_000 * at }));
  const compare = async (later: readonly StoredPicture[]) => {
    counted.length = 0;
    await check.compare({ name: 'June', pictures: later, scans: new Map() });
    return [counted.length, check.compared!.drift.isSameCamera];
  };
  const reference = of('cup', 'part\nyard');
  await check.keep('May', reference, new Map());
  expect(await compare(of('fork', 'part\nyard'))).toEqual([1, true]);
  expect(counted).toEqual([
    {
      imagesSha256: imagesSha256(reference.map(({ fileName: name, sizeBytes }) => ({ name, sizeBytes }))),
      comparedAt: '2026-06-01T00:00:00.000Z',
      later: 'June',
      laterCount: 20,
      isSameCamera: true,
      laterUntil: '2026-05-30T00:00:00.000Z',
      canTell: true,
      level: 0.05,
      untested: ['brightness', 'contrast', 'sharpness', 'score'],
      shifted: ['label mix (cup on 0 % of the images instead of 100 %)'],
      shiftedFeatures: ['labels'],
    },
  ]);
  expect(await compare(of('fork', 'part\ngate'))).toEqual([0, false]);
  expect(await compare(of('fork', null))).toEqual([0, null]);
  check.countForCertificates();
  expect(counted).toMatchObject([{ isSameCamera: null }]);
  // Its own images say nothing of later ones.
  expect(await compare([...of('fork', 'part\nyard'), reference[0]!])).toEqual([1, true]);
  expect(counted).toMatchObject([{ laterCount: 20 }]);
});
