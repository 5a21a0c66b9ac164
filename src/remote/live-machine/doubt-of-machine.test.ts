import { expect, it } from 'vitest';
import { doubtOfMachine } from './doubt-of-machine.ts';
import type { MachineHealth } from './live-machine.ts';

const healthOf = (...names: readonly string[]): MachineHealth => ({
  isRunning: true,
  revision: '',
  resources: names.map((name) => ({
    api: name.startsWith('web') ? 'rdk-internal:service:web' : 'rdk:component:camera',
    name,
    isReady: true,
    updatedAtMs: 1,
    revision: '',
    error: '',
  })),
});
const here = ['cam', 'v'];

it.each([
  ['one part', 'p1', 'p1', healthOf('other'), true, null],
  [
    'another part',
    'p1',
    'p2',
    healthOf('cam', 'v'),
    true,
    [true, 'it is part p2, and this is the configuration of part p1'],
  ],
  ['an account’s, with a file', null, 'p2', healthOf('cam', 'v'), true, [false, 'from an account, as part p2']],
  [
    'a file, with what it names and what every machine has',
    null,
    null,
    healthOf('v', 'cam', 'builtin', 'web', 'far:arm'),
    true,
    null,
  ],
  ['a file, and lacks a name of it', null, null, healthOf('cam'), true, [false, 'it does not have “v”.']],
  [
    'a file, and has more',
    null,
    null,
    healthOf('cam', 'v', 'arm'),
    true,
    [false, 'it has “arm”, which this configuration does not.'],
  ],
  ['a file whose fragments may bring more', null, null, healthOf('cam', 'v', 'arm'), false, null],
  [
    'other names altogether',
    'p1',
    null,
    healthOf('a', 'b', 'c', 'd', 'e'),
    true,
    [false, 'it does not have “cam” and “v”, and it has “a”, “b”, “c”, and 2 more, which this configuration does not.'],
  ],
  ['a part’s names, and does not say which it is', 'p1', null, healthOf('cam', 'v'), true, [false, 'is not known']],
] as const)('of a machine that is %s', (_, ofPart, partId, health, isWhole, doubt) => {
  const found = doubtOfMachine({ partId: ofPart, resources: here, isWhole }, { host: 'robot:8080', partId, health });
  expect(found && [found.isCertain, found.words]).toEqual(doubt && [doubt[0], expect.stringContaining(doubt[1])]);
});
