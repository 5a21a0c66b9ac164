import { describe, expect, it } from 'vitest';
import { emptyFilter, type DataFilter } from '../filters/data-filter.ts';
import { codeLimits, queryCode } from './query-code.ts';

const query = (filter: Partial<DataFilter> = {}) => ({
  filter: { ...emptyFilter, ...filter },
  organizationId: 'org-1',
  mimeTypes: ['image/jpeg', 'image/png'],
});
const start = '2026-01-02T03:04';
const iso = new Date(start).toISOString();

describe('the command line', () => {
  it.each([
    [{}, '--org-ids=org-1 --mime-types=image/jpeg,image/png'],
    [{ tags: ['a', 'b'] }, '--tags=a,b'],
    [{ tagged: 'untagged' }, '--tags=untagged'],
    [{ robotName: "north's", boxLabels: ['screw'] }, `--machine-name='north'\\''s'`],
    [{ start }, `--start=${iso}`],
  ] as const)('exports %j', (filter, expected) => {
    const code = queryCode('cli', query(filter)).replaceAll(' \\\n ', '');
    expect(code).toMatch(/^viam data export binary filter --destination=\.\/data /);
    expect(code).toContain(expected);
  });

  it('exports a dataset by its own command, and says what it leaves out', () => {
    expect(queryCode('cli', query({ datasetId: 'd-1' }))).toBe(
      'viam dataset export --destination=./data --dataset-id=d-1\n',
    );
    expect(codeLimits('cli', query({ datasetId: 'd-1' }))).toContain('left out');
    expect(codeLimits('cli', query({ tagged: 'tagged', tags: ['a'] }))).toContain('left out');
    expect(codeLimits('cli', query({ tags: ['a'] }))).toBe('');
    expect(codeLimits('python', query({ datasetId: 'd-1' }))).toBe('');
    expect(codeLimits('python', query({ boxesMin: '2' }))).toContain('by this page');
  });
});

describe('TypeScript', () => {
  it('builds the filter by the helper of the client', () => {
    const code = queryCode('typescript', query({ tags: ['a "quoted" tag'], start, boxLabels: ['screw'] }));
    expect(code).toContain('organizationIds: ["org-1"],\n  mimeType: ["image/jpeg", "image/png"],');
    expect(code).toContain('tags: ["a \\"quoted\\" tag"],');
    expect(code).toContain(`startTime: new Date("${iso}"),`);
    expect(code).not.toContain('dataApi');
  });

  it('says untagged by the message itself', () => {
    expect(queryCode('typescript', query({ tagged: 'untagged' }))).toContain(
      'new dataApi.TagsFilter({ type: 3, tags: [] })',
    );
  });
});

describe('Python', () => {
  it('imports what it uses', () => {
    expect(queryCode('python', query())).toContain('from viam.proto.app.data import Filter\n');
    const code = queryCode('python', query({ tagged: 'tagged', start }));
    expect(code).toContain('import CaptureInterval, Filter, TagsFilter, TagsFilterType');
    expect(code).toContain('TagsFilterType.TAGS_FILTER_TYPE_TAGGED, tags=[]');
    expect(code).toContain(`start.FromJsonString("${iso}")`);
    expect(code).toContain('interval=CaptureInterval(start=start),');
  });
});
