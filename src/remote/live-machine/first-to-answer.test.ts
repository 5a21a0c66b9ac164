import { describe, expect, it } from 'vitest';
import { linkPretended } from '../../../tests/live-machine-fixture.ts';
import { deferred } from '../../../tests/deferred.ts';
import { firstToAnswer } from './first-to-answer.ts';
import { LinkError } from './link-error.ts';
import type { LiveMachine, MachineVersion } from './live-machine.ts';

const { signal } = new AbortController();
const version = (name: string): MachineVersion => ({ platform: 'rdk', version: name, apiVersion: '' });
const gone = new LinkError('no-answer', 'gone', 'wait');
const refused = new LinkError('wrong-key', 'no', 'give another');

/** Machines "near" and "far", which answer when told; `headStart` ends when told, too. */
function setUp() {
  const answers = { near: deferred<MachineVersion>(), far: deferred<MachineVersion>() };
  const headStart = deferred<void>();
  const log: string[] = [];
  const open = (url: string): LiveMachine => {
    log.push(`open ${url}`);
    return {
      ...linkPretended({}),
      version: () => answers[url as 'near' | 'far'].promise,
      close: () => void log.push(`close ${url}`),
    };
  };
  const ask = ({ version: askVersion }: LiveMachine) => askVersion(signal);
  const found = firstToAnswer(['near', 'far'], open, ask, signal, async (ms) => {
    log.push(`wait ${ms}`);
    await headStart.promise;
  });
  found.catch(() => {});
  return { answers, headStart, log, found };
}
/** until all that can happen by itself has happened */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('of the addresses of a machine', () => {
  it('the first is enough where it answers soon', async () => {
    const { answers, headStart, log, found } = setUp();
    await settled();
    answers.near.resolve(version('n'));
    expect(await found).toMatchObject({ url: 'near', answer: { version: 'n' } });
    headStart.resolve();
    await settled();
    expect(log).toEqual(['open near', 'wait 250']);
  });

  it('the next is called as well after a head start, and the slower one is closed', async () => {
    const { answers, headStart, log, found } = setUp();
    headStart.resolve();
    await settled();
    expect(log.slice(0, 3)).toEqual(['open near', 'wait 250', 'open far']);
    answers.far.resolve(version('f'));
    expect((await found).url).toBe('far');
    expect(log.at(-1)).toBe('close near');
  });

  it('the next is called at once where the first fails, and the error is that of the last', async () => {
    const { answers, log, found } = setUp();
    await settled();
    answers.near.reject(new LinkError('not-a-machine', 'a page', 'no'));
    await settled();
    expect(log).toContain('open far');
    answers.far.reject(gone);
    await expect(found).rejects.toBe(gone);
    expect(log.slice(-2)).toEqual(['close near', 'close far']);
  });

  it('one that is opened after another has answered is closed, and not asked', async () => {
    const far = deferred<LiveMachine>();
    const log: string[] = [];
    const machineOf = (url: string): LiveMachine => ({
      ...linkPretended({}),
      close: () => void log.push(`close ${url}`),
    });
    const open = (url: string) => (url === 'far' ? far.promise : machineOf(url));
    const answered = deferred<string>();
    const found = firstToAnswer(
      ['near', 'far'],
      open,
      () => (log.push('ask'), answered.promise),
      signal,
      async () => {},
    );
    await settled();
    answered.resolve('here');
    expect((await found).url).toBe('near');
    far.resolve(machineOf('far'));
    await settled();
    expect(log).toEqual(['ask', 'close far']);
  });

  it('one that refuses the key ends the search', async () => {
    const { answers, headStart, log, found } = setUp();
    headStart.resolve();
    await settled();
    answers.near.reject(refused);
    await expect(found).rejects.toBe(refused);
    expect(log.slice(-2)).toEqual(['close near', 'close far']);
  });
});
