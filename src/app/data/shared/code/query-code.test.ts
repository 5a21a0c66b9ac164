import { describe, expect, it } from 'vitest';
import { emptyFilter, type DataFilter } from '../filters/data-filter.ts';
import { codeLimits, codeNeeds, queryCode, type CodeQuery } from './query-code.ts';

const server = { url: 'https://data.example:8443', keyId: 'key-1', organizationId: 'org-1' };
const query = (filter: Partial<DataFilter> = {}, of: CodeQuery['server'] = server): CodeQuery => ({
  filter: { ...emptyFilter, ...filter },
  server: of,
  mimeTypes: ['image/jpeg', 'image/png'],
});
const start = '2026-01-02T03:04';
const iso = new Date(start).toISOString();
const languages = ['typescript', 'python', 'shell'] as const;

describe('the code', () => {
  it.each([
    ['typescript', ['serviceHost: "https://data.example:8443"', 'authEntity: "key-1"', 'process.env.SIGHTGLASS_KEY,']],
    ['python', ['"data.example:8443"', 'auth_entity="key-1"', 'os.environ["SIGHTGLASS_KEY"]']],
    ['shell', ['service=https://data.example:8443\n', 'key_id=key-1\n', '"$SIGHTGLASS_KEY"']],
  ] as const)('in %s asks the server that is shown', (language, parts) => {
    const code = queryCode(language, query());
    for (const part of [...parts, 'org-1']) expect(code).toContain(part);
    expect(code).not.toContain('insecure');
  });

  it.each(languages)('in %s asks any server for what this browser has', (language) => {
    const code = queryCode(language, query({}, null));
    expect(code).toContain('127.0.0.1:8080');
    expect(code).toContain('SIGHTGLASS_KEY_ID');
    expect(code).not.toContain('org-1');
    expect(code.includes('insecure=True')).toBe(language === 'python');
  });

  it.each(languages)('in %s asks a server that a log-in shows by a key of the program’s own', (language) => {
    const loggedIn = { ...server, keyId: '' };
    const code = queryCode(language, query({}, loggedIn));
    expect(code).toContain('data.example:8443');
    expect(code).toContain('SIGHTGLASS_KEY_ID');
    expect(codeNeeds({ server: loggedIn })).toContain('SIGHTGLASS_KEY_ID and SIGHTGLASS_KEY');
  });

  it('is told what it needs', () => {
    expect(codeNeeds({ server })).toContain('asks https://data.example:8443 as the key key-1');
    expect(codeNeeds({ server: null })).toContain('SIGHTGLASS_KEY_ID');
    expect(codeLimits(query({ boxesMin: '2' }))).toContain('by this page');
    expect(codeLimits(query({ tags: ['a'] }))).toBe('');
  });
});

describe('the command line', () => {
  const filterOf = (filter: Partial<DataFilter>): unknown => {
    const line = /^filter='(.*)'$/m.exec(queryCode('shell', query(filter)))![1]!;
    return JSON.parse(line.replaceAll("'\\''", "'"));
  };
  it.each([
    [{}, {}],
    [{ tags: ['a', 'b'] }, { tagsFilter: { type: 'TAGS_FILTER_TYPE_MATCH_BY_OR', tags: ['a', 'b'] } }],
    [{ tagged: 'untagged' }, { tagsFilter: { type: 'TAGS_FILTER_TYPE_UNTAGGED', tags: [] } }],
    [
      { robotName: "north's", boxLabels: ['screw'] },
      { robotName: "north's", bboxLabels: ['screw'] },
    ],
    [
      { datasetId: 'd-1', start },
      { datasetId: 'd-1', interval: { start: iso } },
    ],
    [{ end: start }, { interval: { end: iso } }],
  ] as const)('asks by the filter %j', (filter, expected) => {
    const every = { organizationIds: ['org-1'], mimeType: ['image/jpeg', 'image/png'] };
    expect(filterOf(filter)).toEqual({ ...every, ...expected });
  });
});

describe('TypeScript', () => {
  it('builds the same filter by the message of the client', () => {
    const code = queryCode('typescript', query({ tags: ['a "quoted" tag'], start, boxLabels: ['screw'] }));
    const filter = /fromJson\(([^]*?)\);/.exec(code)![1]!;
    expect(JSON.parse(filter)).toEqual({
      organizationIds: ['org-1'],
      mimeType: ['image/jpeg', 'image/png'],
      bboxLabels: ['screw'],
      tagsFilter: { type: 'TAGS_FILTER_TYPE_MATCH_BY_OR', tags: ['a "quoted" tag'] },
      interval: { start: iso },
    });
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
