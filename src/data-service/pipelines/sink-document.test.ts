import { deserialize, serialize } from 'bson';
import { expect, it } from 'vitest';
import { sinkDocument } from './sink-document.ts';

const run = { id: 'run', organizationId: 'a', window: { start: 1_000_000, end: 2_000_000 } };
const mark = {
  _viam_pipeline_run: { id: 'run', interval: { start: new Date(1000), end: new Date(2000) }, organization_id: 'a' },
};

it.each([{}, { last: true }, { last: -1 }, { last: 0.1 }, { last: 'text' }, { last: null }, { first: 1, last: [2] }])(
  'marks %j with its run behind its own fields',
  (row) => {
    const document = deserialize(sinkDocument(serialize(row), run));
    expect(document).toEqual({ ...row, ...mark });
    expect(Object.keys(document).at(-1)).toBe('_viam_pipeline_run');
  },
);
