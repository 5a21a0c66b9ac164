import { expect, it } from 'vitest';
import { DataService } from '../../../gen/app/data/v1/data_pb.ts';
import { DataSyncService } from '../../../gen/app/datasync/v1/data_sync_pb.ts';
import { offIf } from './off-if.ts';
import { refusalOf } from './rights.ts';
import { wordsOfRole } from './role-words.ts';

const { deleteBinaryDataByIDs, tabularDataByMQL } = DataService.method;
const { fileUpload } = DataSyncService.method;
const of = (role: string, locationId = '', partId = '') => ({ role, locationId, partId });

it.each([
  ['owner', '', deleteBinaryDataByIDs, ''],
  ['operator', '', deleteBinaryDataByIDs, 'Only an owner may do this; you are an operator.'],
  ['operator', '', fileUpload, ''],
  ['reviewer', '', fileUpload, 'Only an operator may do this, or somebody with more rights; you are a reviewer.'],
  ['annotator', '', fileUpload, 'Only an operator may do this, or somebody with more rights; you are an annotator.'],
  ['operator', 'yard', fileUpload, ''],
  [
    'operator',
    'yard',
    tabularDataByMQL,
    'Only members of the whole organization may do this; you are a member of one location.',
  ],
] as const)('%s of "%s" calling $name: "%s"', (role, locationId, method, words) => {
  expect(refusalOf(of(role, locationId), method)).toBe(words);
});

it.each([
  [
    'annotator',
    '',
    fileUpload,
    'Only an operator may do this, or somebody with more rights; your key is that of an annotator.',
  ],
  ['operator', '', deleteBinaryDataByIDs, 'Only an owner may do this; your key is that of an operator.'],
  ['owner', 'yard', tabularDataByMQL, 'Only a key of the whole organization may do this; yours is for one location.'],
  ['owner', '', deleteBinaryDataByIDs, ''],
] as const)('a key of the role %s at "%s" calling $name: "%s"', (role, locationId, method, words) => {
  expect(refusalOf(of(role, locationId), method, 'key')).toBe(words);
});

it('names the part of who is a member of one, and of a key', () => {
  const [member, key] = (['membership', 'key'] as const).map((by) =>
    refusalOf(of('operator', 'yard', 'arm'), tabularDataByMQL, by),
  );
  expect(member).toMatch(/you are a member of one part\.$/);
  expect(key).toMatch(/yours is for one part\.$/);
});

it('leaves it to the service where nobody knows the role, or it is one of a newer server', () => {
  expect([refusalOf(null, fileUpload), refusalOf(of('auditor'), fileUpload)]).toEqual(['', '']);
  expect([wordsOfRole('auditor'), wordsOfRole('owner')]).toEqual(['auditor', 'an owner']);
});

it('switches a button off with the reason, and leaves others alone', () => {
  expect(offIf('')).toEqual({});
  expect(offIf('Not you.')).toEqual({ disabled: true, title: 'Not you.', 'aria-description': 'Not you.' });
});
