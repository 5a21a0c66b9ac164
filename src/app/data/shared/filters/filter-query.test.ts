import { describe, expect, it } from 'vitest';
import { TagsFilterType } from '../../../../gen/app/data/v1/data_pb.ts';
import { emptyFilter, wireFilter, type DataFilter } from './data-filter.ts';
import { filterChips } from './filter-chips.ts';
import { readFilterQuery, writeFilterQuery } from './filter-query.ts';

const full: DataFilter = {
  robotName: 'north & south',
  robotId: 'r-1',
  partName: 'main',
  partId: 'p-1',
  locationIds: ['yard', 'hall=2'],
  componentName: 'cam',
  componentType: 'rdk:component:camera',
  method: 'ReadImage',
  start: '2026-01-02T03:04',
  end: '2026-02-02T03:04:05',
  mimeTypes: ['image/jpeg', 'image/png'],
  tags: ['a b', 'ä?#'],
  tagged: 'tagged',
  boxLabels: ['screw'],
  datasetId: 'd-1',
  fileName: 'IMG & 1',
  boxesMin: '1',
  boxesMax: '20',
  confidenceMin: '0.25',
  confidenceMax: '0.9',
  sizeMin: '10',
  sizeMax: '2000',
  madeBy: 'model',
};

describe('a filter in the address', () => {
  it.each([
    ['nothing', emptyFilter, ''],
    ['two tags', { ...emptyFilter, tags: ['a', 'b'] }, '?tag=a&tag=b'],
    ['a media type', { ...emptyFilter, mimeTypes: ['image/png'] }, '?type=image/png'],
    ['untagged', { ...emptyFilter, tagged: 'untagged' }, '?tags=untagged'],
  ] as const)('writes %s', (_, filter, text) => {
    expect(writeFilterQuery(filter)).toBe(text);
  });

  it('comes back as it was', () => {
    expect(readFilterQuery(writeFilterQuery(full))).toEqual(full);
    expect(readFilterQuery(`/an%2Fid${writeFilterQuery(full)}`)).toEqual(full);
  });

  it.each([
    '?from=yesterday',
    '?until=2026-13-40T00:00',
    '?tags=some',
    '?tag=',
    '?other=1',
    '?boxes-min=many',
    '?kb-max=-1',
    '?made-by=nobody',
    '/an-id',
    '',
  ])('leaves out what %s means', (rest) => {
    expect(readFilterQuery(rest)).toEqual(emptyFilter);
  });
});

describe('the message of a filter', () => {
  it('asks for the tab’s types where none is chosen', () => {
    expect(wireFilter(emptyFilter, 'org', ['image/png'])).toMatchObject({
      organizationIds: ['org'],
      mimeType: ['image/png'],
    });
    expect(wireFilter({ ...emptyFilter, mimeTypes: ['video/mp4'] }, 'org', ['image/png']).mimeType).toEqual([
      'video/mp4',
    ]);
  });

  it('constrains by nothing that is empty', () => {
    const message = wireFilter(emptyFilter, 'org');
    expect(message).not.toHaveProperty('interval');
    expect(message).not.toHaveProperty('tagsFilter');
  });

  it('says every field', () => {
    const message = wireFilter(full, 'org');
    expect(message).toMatchObject({
      robotName: 'north & south',
      partId: 'p-1',
      method: 'ReadImage',
      bboxLabels: ['screw'],
      datasetId: 'd-1',
      tagsFilter: { type: TagsFilterType.TAGGED, tags: ['a b', 'ä?#'] },
    });
    expect(message.interval?.start?.seconds).toBe(BigInt(new Date('2026-01-02T03:04').getTime() / 1000));
    expect(message.interval?.end?.seconds).toBe(BigInt(new Date('2026-02-02T03:04:05').getTime() / 1000));
  });
});

it('shows each thing asked for as a chip, and the filter without it', () => {
  const chips = filterChips({ ...emptyFilter, tags: ['a', 'b'], datasetId: 'd-1' }, () => 'Screws');
  expect(chips.map(({ name, value }) => `${name} ${value}`)).toEqual(['Dataset Screws', 'Tag a', 'Tag b']);
  expect(chips[1]!.without).toEqual({ ...emptyFilter, tags: ['b'], datasetId: 'd-1' });
  let left = full;
  for (let chip = filterChips(left, String)[0]; chip; chip = filterChips(left, String)[0]) left = chip.without;
  expect(left).toEqual(emptyFilter);
});
