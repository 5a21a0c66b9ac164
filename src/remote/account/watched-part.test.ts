import type { JsonObject } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { describe, expect, it } from 'vitest';
import {
  accountKeyId,
  linkPretendedAccount,
  type PretendedAccount,
  type PretendedPart,
} from '../../../tests/account-fixture.ts';
import { ChangedMeanwhile, type WatchedConfig } from '../../platform/ports/watched-config.ts';
import { watchPart } from './watched-part.ts';

const text = `{   "odd" :  [1,2 ],
  "services": [{ "model": "mlmodel", "name": "v" }]
}
`;
const config = { odd: [1, 2], services: [{ model: 'mlmodel', name: 'v' }] };
/** the generated text, for a service that stores no text */
const inOrder = `{
  "odd": [1, 2],
  "services": [
    {
      "name": "v",
      "model": "mlmodel"
    }
  ]
}
`;

async function watched(part: Partial<PretendedPart> = {}, more: Partial<PretendedAccount> = {}, secret = 's3cret-key') {
  const there: PretendedPart = { id: 'p1', name: 'gate-main', config, updatedAtMs: 5000, ...part };
  const account = linkPretendedAccount({ parts: [there], ...more }, { id: accountKeyId, secret });
  return { there, watch: await watchPart(account, 'p1', 'here') };
}
const changed = (watch: WatchedConfig, before: string, after: string): Promise<unknown> =>
  watch.replace(before, after).then(
    () => 'written',
    (error: unknown) => (error instanceof ChangedMeanwhile ? error.there : error),
  );

describe('a part whose service keeps the text', () => {
  it('gives just that, writes just what it is given beside its values, and takes it back', async () => {
    const { watch, there } = await watched({ text });
    expect([watch.name, await watch.read()]).toEqual(['gate-main', text]);
    const after = text.replace('[1,2 ]', '[1,2 , 3]');
    expect(await watch.replace(text, after)).toBe(after);
    expect(there).toMatchObject({ name: 'gate-main', text: after, config: { ...config, odd: [1, 2, 3] } });
    expect(await watch.replace(after, text)).toBe(text);
    expect(there).toMatchObject({ text, config });
  });

  it('does not believe a text that says something else than the values', async () => {
    const { watch } = await watched({ text: '{ "services": [] }' });
    expect(await watch.read()).toBe(inOrder);
  });
});

describe('a part of values alone', () => {
  it('has the same text whatever order its keys come in', async () => {
    const { watch } = await watched({ config: { services: [{ name: 'v', model: 'mlmodel' }], odd: [1, 2] } });
    expect(await watch.read()).toBe(inOrder);
  });

  it('is laid out by name, and nothing but the values is written', async () => {
    const { watch, there } = await watched();
    expect(await watch.read()).toBe(inOrder);
    expect(await watch.replace(inOrder, text.replace('mlmodel', 'other'))).toBe(inOrder.replace('mlmodel', 'other'));
    expect(there.config).toEqual({ ...config, services: [{ model: 'other', name: 'v' }] });
    expect(there.text).toBeUndefined();
    expect(watch.inForm(text)).toBe(inOrder);
    expect(watch.inForm('{ broken')).toBe('{ broken');
  });

  const odd: JsonObject = JSON.parse(
    '{"__proto__":{"a":[null,true,"",{}]},"n":[-0,0.1,1e300,5e-324,9007199254740991,-2.5],"ü\\u0000":"\\ud83d\\ude00"}',
  ) as JsonObject;
  it('keeps every value that the service has', async () => {
    const { watch, there } = await watched({ config: { ...odd, tuned: 1 } });
    const before = await watch.read();
    await watch.replace(before, before.replace('"tuned": 1', '"tuned": 2'));
    expect(there.config).toEqual({ ...odd, tuned: 2 });
    expect(Object.is((there.config['n'] as number[])[0], -0)).toBe(true);
    expect(Object.keys(there.config)).toContain('__proto__');
  });

  it('is not read where it holds what no JSON says', async () => {
    await expect(watched({ config: { n: [NaN] } }).then(({ watch }) => watch.read())).rejects.toMatchObject({
      code: 'unreadable',
      message: expect.stringMatching(/gate-main holds a number/),
    });
  });
});

describe('someone else', () => {
  const theirs = { mine: 'not' };
  const theirText = '{\n  "mine": "not"\n}\n';

  it('who wrote since it was read is found before anything is sent', async () => {
    const { watch, there } = await watched();
    Object.assign(there, { config: theirs, updatedAtMs: 9000 });
    expect(await changed(watch, inOrder, '{}')).toBe(theirText);
    expect(there.config).toEqual(theirs);
  });

  it.each([Code.FailedPrecondition, Code.Aborted, Code.InvalidArgument, Code.Unknown])(
    'who writes in the last moment is noticed by the service, which says so by code %s',
    async (lateCode) => {
      let late = (): void => {};
      const { watch, there } = await watched({}, { lateCode, beforeUpdate: () => late() });
      late = () => void Object.assign(there, { config: theirs, updatedAtMs: 9000 });
      expect(await changed(watch, inOrder, '{}')).toBe(theirText);
      expect(there.config).toEqual(theirs);
    },
  );

  it('who touched the part and left its configuration is no obstacle', async () => {
    const { watch, there } = await watched();
    Object.assign(there, { name: 'front-main', updatedAtMs: 9000 });
    expect(await changed(watch, inOrder, '{}')).toBe('written');
    expect(there).toMatchObject({ name: 'front-main', config: {} });
  });

  it('who wrote the same has saved the work', async () => {
    const { watch, there } = await watched();
    Object.assign(there, { config: {}, updatedAtMs: 9000 });
    expect(await changed(watch, inOrder, '{ }')).toBe('written');
    expect(there.updatedAtMs).toBe(9000);
  });
});

it('knows that it was written though the answer was lost', async () => {
  const lose = (): never => {
    throw new ConnectError('broken off', Code.Unavailable);
  };
  const { watch, there } = await watched({}, { afterUpdate: lose });
  expect(await watch.replace(inOrder, '{}')).toBe('{}\n');
  expect(there.config).toEqual({});
});

it('says what the service says where nothing was written', async () => {
  const refuse = (): never => {
    throw new ConnectError('the yard is closed', Code.Internal);
  };
  const { watch, there } = await watched({}, { beforeUpdate: refuse });
  expect(await changed(watch, inOrder, '{}')).toMatchObject({ code: 'failed', message: 'the yard is closed' });
  expect(there.config).toEqual(config);
});

it('writes nothing with a key that may only read, and no text that is broken', async () => {
  const { watch, there } = await watched({}, { readerKey: 'reader-key' }, 'reader-key');
  expect(await changed(watch, inOrder, '{}')).toMatchObject({ code: 'not-allowed' });
  expect(await changed(watch, inOrder, '[1]')).toMatchObject({ code: 'unreadable' });
  expect(there.config).toEqual(config);
});
