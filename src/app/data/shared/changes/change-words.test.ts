import { create, type JsonObject } from '@bufbuild/protobuf';
import { expect, it } from 'vitest';
import { changedThings } from '../../../../data-service/ports/audit-store.ts';
import { ChangeSchema } from '../../../../gen/sightglass/audit/v1/audit_pb.ts';
import { actorWords } from '../items/actor-words.ts';
import { changeWords, fileOf, thingNames } from './change-words.ts';

const box = (id: string, label: string, xMinNormalized = 0): JsonObject => ({ id, label, xMinNormalized });

it.each<readonly [string, string, JsonObject | undefined, JsonObject | undefined, string]>([
  ['tags', '', { tags: ['old'] }, { tags: ['cup', 'SVC_DATASET_d1'] }, 'tags + cup, + dataset “birds”, − old'],
  ['tags', '', { tags: [] }, { tags: ['SVC_DATASET_d9'] }, 'tags + dataset “d9”'],
  ['boxes', '', { boxes: [] }, { boxes: [box('1', 'cup')] }, 'boxes + cup'],
  ['boxes', '', { boxes: [box('1', 'cup')] }, { boxes: [box('1', 'mug')] }, 'boxes cup → mug'],
  ['boxes', '', { boxes: [box('1', 'cup')] }, { boxes: [box('1', 'cup', 0.5)] }, 'boxes cup moved'],
  [
    'boxes',
    '',
    { boxes: [box('1', 'cup'), box('2', 'dog')] },
    { boxes: [box('3', 'cup')] },
    'boxes + cup, − cup, − dog',
  ],
  ['readings', '', { count: 1200 }, undefined, '1,200 readings deleted'],
  ['file', 'x.png', { fileName: 'x.png' }, undefined, 'file “x.png” deleted'],
  ['dataset', 'birds', undefined, { name: 'birds' }, 'dataset “birds” made'],
  ['dataset', 'owls', { name: 'birds' }, { name: 'owls' }, 'dataset “owls”: name birds → owls'],
  ['organization', 'A', { quotaBytes: null }, { quotaBytes: 5 }, 'organization “A”: quotaBytes none → 5'],
  ['database-user', '', {}, { password: 'replaced' }, 'database password: password replaced'],
  ['task', 'Ada', { state: 'open' }, { state: 'done' }, 'task of Ada: state open → done'],
  ['comment', 'Ben', undefined, { text: 'Why?' }, 'comment of Ben made'],
  ['session', 'Ada', undefined, { origin: 'https://a.example' }, 'Ada logged in'],
  [
    'refused-log-in',
    'lab',
    undefined,
    { address: '1.2.3.4', times: 3 },
    '3 log-ins with key “lab” refused, from 1.2.3.4',
  ],
  [
    'refused-log-in',
    'lab',
    undefined,
    { address: '', times: 1 },
    '1 log-in with key “lab” refused, from further addresses',
  ],
  ...(
    [
      ['passkey', 'Ada', '2 log-ins with a passkey of “Ada” refused, from ::1'],
      ['invitation', 'Ben', '2 log-ins with the invitation of “Ben” refused, from ::1'],
      ['provider', 'Ben', '2 log-ins by the provider as “Ben” refused, from ::1'],
      ['provider', '', '2 log-ins by the provider, of accounts that nobody invited, refused, from ::1'],
      ['database-user', 'db-user-a', '2 log-ins as database user “db-user-a” refused, from ::1'],
    ] as const
  ).map(([by, name, words]) => ['refused-log-in', name, undefined, { by, address: '::1', times: 2 }, words] as const),
  ['session', 'Ada', { origin: 'https://a.example' }, undefined, 'Ada logged out'],
  ['member', 'Ada', { role: 'annotator' }, { role: 'reviewer' }, 'member “Ada”: role annotator → reviewer'],
  ['weather', '', { sky: 'grey' }, { sky: 'blue' }, 'weather: sky grey → blue'],
])('says what changed of %s', (what, objectName, before, after, words) => {
  const change = create(ChangeSchema, { what, objectName, ...(before && { before }), ...(after && { after }) });
  expect(changeWords(change, (id) => (id === 'd1' ? 'birds' : id))).toBe(words);
});

it.each<readonly [string, string, JsonObject | undefined, JsonObject | undefined, string]>([
  ['tags', '', { tags: ['old'] }, { tags: ['cup'] }, 'tags of 1,200 files + cup, − old'],
  ['tags', '', {}, {}, 'tags of 1,200 files changed'],
  ['boxes', '', {}, {}, 'boxes of 1,200 images changed'],
  ['file', '', { sizeBytes: 5_000_000 }, undefined, '1,200 files deleted (5.00 MB)'],
  ['file', 'x.png', { sizeBytes: 5_000_000 }, undefined, '1,200 files “x.png” deleted (5.00 MB)'],
  ['task', 'Ada', undefined, { state: 'open' }, '1,200 tasks of Ada made'],
  ['task', '', { state: 'open' }, { state: 'done' }, '1,200 tasks: state open → done'],
  ['session', '', {}, undefined, '1,200 log-ins deleted'],
  ['index', '', {}, {}, '1,200 indexes changed'],
])('says what a sum of changes of %s has in common', (what, objectName, before, after, words) => {
  const of = { what, objectName, count: 1200 };
  expect(changeWords(create(ChangeSchema, { ...of, ...(before && { before }), ...(after && { after }) }), String)).toBe(
    words,
  );
});

it.each([
  ['tags', 'x.png', 'x.png'],
  ['boxes', '', 'a/l/1'],
  ['task', 'Ada', 'a/l/1'],
])('names the file of a change of %s', (what, objectName, file) => {
  expect(fileOf(create(ChangeSchema, { what, objectName, objectId: 'a/l/1' }))).toBe(file);
});

it.each([
  [{ kind: 'key', id: 'k', name: 'lab' }, 'lab'],
  [{ kind: 'key', id: 'k', name: '' }, 'Key k'],
  [{ kind: 'browser', id: '', name: '' }, 'This browser'],
  [{ kind: 'terminal', id: 'ada', name: '' }, 'ada at a terminal'],
  [{ kind: 'terminal', id: '', name: '' }, 'A terminal'],
  [{ kind: 'service', id: '', name: '' }, 'The service'],
  [{ kind: 'person', id: 'p1', name: 'Ada' }, 'Ada'],
  [{ kind: 'robot', id: 'r1', name: '' }, 'robot r1'],
])('says who %j is', (actor, words) => expect(actorWords(actor)).toBe(words));

it('has a name for everything that is changed', () => {
  for (const thing of changedThings) expect(thingNames[thing]).toMatch(/^[A-Z]/);
});
