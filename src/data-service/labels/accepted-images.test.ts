import { expect, it } from 'vitest';
import { datasetTag } from '../ports/capture-filter.ts';
import type { BinaryRecord } from '../ports/stored-captures.ts';
import { EditSkippingAccepted } from './accepted-images.ts';

const open = { id: 'a', tags: ['day'] } as Partial<BinaryRecord> as BinaryRecord;
const accepted = { ...open, accepted: { taskId: 't', by: 'Ada', time: 0 } };
const tag = (record: BinaryRecord): BinaryRecord => ({ ...record, tags: [...record.tags, 'night'] });

it('leaves an accepted image as it is, and says so', () => {
  const skipping = new EditSkippingAccepted();
  expect(skipping.of(tag)(accepted, [])).toBe(accepted);
  expect(() => skipping.requireNoneSkipped()).toThrow(/1 of the images were accepted and stay as they are, a by Ada/);
});

it('says nothing of an image that was reopened when the store edited it once more', () => {
  const skipping = new EditSkippingAccepted();
  const edit = skipping.of(tag);
  edit(accepted, []);
  expect(edit(open, []).tags).toEqual(['day', 'night']);
  skipping.requireNoneSkipped();
});

it('lets an accepted image come into a dataset', () => {
  const skipping = new EditSkippingAccepted();
  const join = (record: BinaryRecord) => ({ ...record, tags: [...record.tags, datasetTag('golden')] });
  expect(skipping.of(join)(accepted, []).tags).toEqual(['day', datasetTag('golden')]);
  skipping.requireNoneSkipped();
});
