import { expect, it } from 'vitest';
import { command } from '../record/command.ts';
import { together } from '../record/field.ts';
import { UsageError } from '../record/usage-error.ts';
import { serveRecord } from '../serve/serve-record.ts';
import { database as databaseField, databaseUrl, dataDir } from './shared-place.ts';

const sharedOf = (args: readonly string[], environment = {}) => serveRecord.read(args, environment).shared;
const { read } = command('audit', { usage: [], reads: together({ dataDir, database: databaseField }) });
const databaseOf = (args: readonly string[], environment = {}) => read(args, environment).database;
const database = 'postgres://sightglass@db.example:5432/sightglass?sslmode=verify-full';
const blobs = ['--blobs', 's3://pictures/site?endpoint=https://s3.example&region=home'];

it('takes a database and a bucket, or neither', () => {
  expect(sharedOf([], {})).toBeNull();
  expect(sharedOf(['--data', 'd'], {})).toBeNull();
  expect(sharedOf(['--database', database, ...blobs], {})).toEqual({
    database: { url: database },
    blobs: { bucket: 'pictures', prefix: 'site/', endpoint: 'https://s3.example', region: 'home' },
  });
});

it('takes several servers of a database, one of which is its primary', () => {
  const servers = 'postgres://s:opensesame@one:5432,two:5433/n?target_session_attrs=read-write';
  expect(databaseOf([], { SIGHTGLASS_DATABASE: servers })).toEqual({ url: servers });
});

it('takes an address with a password where others cannot read it', () => {
  const secret = 'postgresql://sightglass:opensesame@db/sightglass';
  expect(databaseOf([], { SIGHTGLASS_DATABASE: `${secret}\n` })).toEqual({ url: secret });
  expect(databaseOf([], { SIGHTGLASS_DATABASE_FILE: '/run/secrets/db' })).toEqual({ file: '/run/secrets/db' });
  expect(databaseOf(['--data', 'd'], { SIGHTGLASS_DATABASE: '' })).toBeNull();
  expect(databaseUrl(`${secret}\n`, 'The file')).toBe(secret);
});

it.each([
  [
    'a password on the command line',
    ['--database', 'postgres://s:opensesame@db/n', ...blobs],
    {},
    /SIGHTGLASS_DATABASE_FILE/,
  ],
  [
    'one in its parameters',
    ['--database', 'postgres://s@db/n?password=opensesame', ...blobs],
    {},
    /has a password.*SIGHTGLASS_DATABASE,/,
  ],
  ['one for several servers', ['--database', 'postgres://s:opensesame@one,two/n', ...blobs], {}, /has a password/],
  [
    'servers that take no writes',
    ['--database', 'postgres://s@one,two/n?target_session_attrs=any', ...blobs],
    {},
    /--database wants .*ONE,OTHER.*: hosts write/,
  ],
  ['another database', ['--database', 'mysql://s:opensesame@db/n', ...blobs], {}, /--database wants .*postgres:/],
  ['no address', blobs, { SIGHTGLASS_DATABASE: 'opensesame' }, /SIGHTGLASS_DATABASE wants an address/],
  ['a database without a bucket', ['--database', database], {}, /goes with --blobs s3:/],
  ['a bucket without a database', blobs, {}, /--blobs goes with a database/],
  ['a folder as a bucket', ['--database', database, '--blobs', '/var/blobs'], {}, /--blobs wants s3:/],
  ['a folder beside it', ['--data', 'd', '--database', database], {}, /--data and --database name several places/],
  [
    'two databases',
    ['--database', database, ...blobs],
    { SIGHTGLASS_DATABASE: 'postgres://s:opensesame@db/n' },
    /--database and SIGHTGLASS_DATABASE name several/,
  ],
  [
    'a folder beside a variable',
    ['--data', 'd'],
    { SIGHTGLASS_DATABASE: '', SIGHTGLASS_DATABASE_FILE: 'f' },
    /--data and .*_FILE name several/,
  ],
  [
    'a budget of a disk',
    ['--database', database, ...blobs, '--disk-budget', '1GB'],
    {},
    /--disk-budget is about the disk/,
  ],
])('refuses %s, and never repeats a password', (_, args, environment, words) => {
  let refusal: unknown;
  try {
    sharedOf(args, environment);
  } catch (error) {
    refusal = error;
  }
  expect(refusal).toBeInstanceOf(UsageError);
  expect((refusal as Error).message).toMatch(words);
  expect((refusal as Error).message).not.toContain('opensesame');
});
