import { describe, expect, it } from 'vitest';
import type { ConfigFile, ConfigFilePort } from '../../../platform/ports/config-file.ts';
import { deferred } from '../../../../tests/deferred.ts';
import { memoryStorage } from '../../../../tests/memory-storage.ts';
import { ConfigState } from '../config/config-state.svelte.ts';
import type { MemoryPort } from '../../kit/memory/remembered.ts';
import type { Doubt } from '../../../remote/live-machine/doubt-of-machine.ts';
import type { AccountPort } from '../account/account-port.ts';
import { AccountState } from '../account/account-state.svelte.ts';
import type { ReadConfig } from './ask-doubt.ts';
import { WriteBackState, type ComingConfig, type HearMachine } from './write-back-state.svelte.ts';

const text = `{   "odd" :  [1,2 ],
  "services": [
    { "name": "v", "api": "rdk:service:vision", "model": "mlmodel", "attributes": { "mlmodel_name": "m" } }
  ],
  "network": {"bind_address": "0.0.0.0:8080", "password": "s3cret"}
}
`;
const noAccount: AccountPort = {
  pageUrl: 'http://localhost/',
  open: () => Promise.reject(new Error('No account here.')),
  keys: () => Promise.reject(new Error('No keys here.')),
};
const bytesOf = (content: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(content);

function setUp(
  content: string | Uint8Array<ArrayBuffer> = text,
  {
    hear = null,
    memory = memoryStorage(),
    doubt = () => Promise.resolve(null),
    certified = [],
  }: {
    certified?: readonly string[];
    hear?: HearMachine | null;
    memory?: MemoryPort;
    doubt?: () => Promise<Doubt | null>;
  } = {},
) {
  let there = typeof content === 'string' ? bytesOf(content) : content;
  const watched: ComingConfig[] = [];
  const asked: ReadConfig[] = [];
  let meanwhile = (): void => {};
  const file: ConfigFile = {
    name: 'machine.json',
    read: async () => there.slice(),
    write: async (bytes) => void (there = bytes),
  };
  const port: ConfigFilePort = { canWrite: true, pick: async () => file };
  const config = new ConfigState();
  const state = new WriteBackState(
    port,
    new AccountState(noAccount, memoryStorage()),
    {
      config,
      host: () => 'robot:8080',
      nowMs: () => 1000,
      certified: () => certified,
      watch: async (coming) => {
        watched.push(coming);
        meanwhile();
        return hear;
      },
      doubt: async (read) => {
        asked.push(read);
        return doubt();
      },
    },
    memory,
  );
  return {
    state,
    config,
    watched,
    asked,
    file,
    tune: (value: number) =>
      config.edit('tune', (before) => before.replace('"m" }', `"m", "default_minimum_confidence": ${value} }`)),
    whileWatched: (then: () => void) => void (meanwhile = then),
    there: () => new TextDecoder().decode(there),
    change: (next: string) => void (there = bytesOf(next)),
  };
}

describe('writing back', () => {
  it('imports the file, writes what was tuned and no other byte, and takes it back', async () => {
    const { state, config, tune, there, watched } = setUp();
    await state.pickFile();
    expect([state.watched?.name ?? null, config.text, state.differs]).toEqual(['machine.json', text, false]);
    tune(0.4);
    expect(state.differs).toBe(true);
    await state.write();
    expect(there()).toBe(text.replace('"m" }', '"m", "default_minimum_confidence": 0.4 }'));
    const read = { partId: null, text };
    const coming = { resources: ['v'], isOnBench: true, read };
    expect([watched, state.differs, state.canUndo]).toEqual([[coming], false, true]);
    await state.undo();
    const readSince = { partId: null, text: text.replace('"m" }', '"m", "default_minimum_confidence": 0.4 }') };
    expect(watched[1]).toEqual({ resources: ['v'], isOnBench: false, read: readSince });
    expect([there(), state.canUndo, state.differs, state.done]).toEqual([text, false, true, 'undone']);
    expect(state.journal.map(({ what, host }) => [what, host])).toEqual([
      ['undone', 'robot:8080'],
      ['written', 'robot:8080'],
    ]);
  });

  it('leaves what is tuned on the bench where the write is taken back, until that is taken, too', async () => {
    const { state, config, tune, there } = setUp();
    await state.pickFile();
    tune(0.4);
    const tuned = config.text;
    await state.write();
    await state.undo();
    expect([there(), config.text, state.keepsOther]).toEqual([text, tuned, true]);
    expect(state.takeThere()).toBe(true);
    expect([config.text, state.differs, state.keepsOther, config.undoLabel]).toEqual([
      text,
      false,
      false,
      'Use the text of machine.json',
    ]);
    config.undo();
    expect([config.text, state.keepsOther]).toEqual([tuned, true]);
    config.typeText('{');
    expect([state.takeThere(), config.text]).toEqual([false, '{']);
  });

  it('keeps what is tuned already of the same content', async () => {
    const { state, config, tune } = setUp();
    config.importFile(text, 'machine.json');
    tune(0.7);
    await state.pickFile();
    expect([config.text.includes('0.7'), state.differs]).toEqual([true, true]);
  });

  it('refuses a file that someone else wrote since, and shows both changes', async () => {
    const { state, tune, there, change, config } = setUp();
    await state.pickFile();
    tune(0.4);
    const theirs = text.replace('8080', '9090');
    change(theirs);
    await state.write();
    expect([there(), state.conflict]).toEqual([theirs, { base: text, there: theirs }]);
    await state.readAgain();
    expect([config.text, state.conflict, state.differs]).toEqual([theirs, null, false]);
  });

  it('applies what was tuned to what someone else wrote, and writes it then', async () => {
    const { state, tune, there, change, config } = setUp();
    await state.pickFile();
    tune(0.4);
    const mine = config.text;
    const theirs = text.replace('0.0.0.0:8080', '0.0.0.0:9090').replace('"odd" :  [1,2 ]', '"odd" :  [1,2,3 ]');
    change(theirs);
    await state.write();
    const both = theirs.replace('"m" }', '"m", "default_minimum_confidence": 0.4 }');
    expect(state.merged).toEqual({ text: both, both: [] });
    await state.applyAgain();
    expect([config.text, there(), state.applied, state.conflict]).toEqual([both, theirs, [], null]);
    expect(config.undoLabel).toBe('Apply my changes to machine.json again');
    config.undo();
    expect(config.text).toBe(theirs);
    config.undo();
    expect(config.text).toBe(mine);
    config.redo();
    config.redo();
    await state.write();
    expect([there(), state.differs, state.applied]).toEqual([both, false, null]);
  });

  it('names what both changed, and takes what is tuned here', async () => {
    const { state, tune, change, config } = setUp();
    await state.pickFile();
    tune(0.4);
    change(text.replace('"m" }', '"m", "default_minimum_confidence": 0.7 }'));
    await state.write();
    await state.applyAgain();
    expect(state.applied).toEqual(['services › v › attributes › default_minimum_confidence']);
    expect(config.text).toBe(text.replace('"m" }', '"m", "default_minimum_confidence": 0.4 }'));
    state.leave();
    expect(state.applied).toBeNull();
  });

  it('applies to what is there by then, and nothing where that is unreadable', async () => {
    const { state, tune, change, config } = setUp();
    await state.pickFile();
    tune(0.4);
    const mine = config.text;
    change(text.replace('8080', '8081'));
    await state.write();
    change(text.replace('8080', '8082'));
    await state.applyAgain();
    expect(config.text).toBe(mine.replace('8080', '8082'));
    change(`${text}}`);
    await state.write();
    const before = config.text;
    expect(state.merged).toBeNull();
    await state.applyAgain();
    expect([state.fault?.message, config.text]).toEqual([expect.stringContaining('not valid JSON'), before]);
  });

  it('has nothing to apply where nobody else wrote', async () => {
    const { state, tune, config } = setUp();
    await state.pickFile();
    tune(0.4);
    const before = config.text;
    expect(state.merged).toBeNull();
    await state.applyAgain();
    expect([config.text, state.applied]).toEqual([before, null]);
  });

  it('sees what somebody else writes while the machine is asked how it is', async () => {
    const { state, tune, there, change, whileWatched } = setUp();
    await state.pickFile();
    tune(0.4);
    whileWatched(() => change('{}'));
    await state.write();
    expect([there(), state.conflict?.there]).toEqual(['{}', '{}']);
  });

  it('refuses to undo over what someone else wrote since', async () => {
    const { state, tune, there, change } = setUp();
    await state.pickFile();
    tune(0.4);
    await state.write();
    change('{}');
    await state.undo();
    expect([there(), state.conflict?.there, state.canUndo]).toEqual(['{}', '{}', true]);
  });

  it.each([
    ['bytes that are no text', Uint8Array.of(0x7b, 0xff, 0x7d), /not UTF-8/],
    ['no configuration', '[1, 2]', /not a complete configuration/],
    ['a broken text', `${text}}`, /not valid JSON/],
    ['a part of one', '{"mlmodel_name": "m"}', /not a complete configuration/],
  ])('opens %s not, and leaves the bench as it is', async (_, content, message) => {
    const { state, config } = setUp(content);
    const before = config.text;
    await state.pickFile();
    expect([state.fault?.message, state.watched]).toEqual([expect.stringMatching(message), null]);
    expect([config.text, config.undoLabel]).toEqual([before, null]);
  });

  it('undoes after a reload, too, and goes on with what was tuned since', async () => {
    const memory = memoryStorage();
    const first = setUp(text, { memory });
    await first.state.pickFile();
    first.tune(0.4);
    await first.state.write();
    const written = first.there();

    const again = setUp(written, { memory });
    again.config.importText(text); // as the page keeps it
    again.tune(0.7);
    await again.state.pickFile();
    expect([again.config.text.includes('0.7'), again.state.canUndo]).toEqual([true, true]);
    await again.state.undo();
    expect([again.there(), again.state.canUndo]).toEqual([text, false]);
  });

  it('undoes nothing after a reload that someone else wrote, or that was undone', async () => {
    const memory = memoryStorage();
    const first = setUp(text, { memory });
    await first.state.pickFile();
    first.tune(0.4);
    await first.state.write();
    const other = setUp(text.replace('8080', '9090'), { memory });
    await other.state.pickFile();
    expect(other.state.canUndo).toBe(false);
    await first.state.undo();
    const again = setUp(first.there(), { memory });
    await again.state.pickFile();
    expect(again.state.canUndo).toBe(false);
  });

  it('takes what is there already for written', async () => {
    const { state, tune, change, config, there } = setUp();
    await state.pickFile();
    tune(0.4);
    change(config.text);
    await state.write();
    expect([state.conflict, state.differs, state.canUndo]).toEqual([null, false, true]);
    await state.undo();
    expect(there()).toBe(text);
  });

  it('shows in a second tab what the first one wrote', async () => {
    const memory = memoryStorage();
    const second = setUp(text, { memory });
    const first = setUp(text, { memory });
    await first.state.pickFile();
    first.tune(0.4);
    await first.state.write();
    second.state.open();
    expect(second.state.journal.map(({ name, what }) => [name, what])).toEqual([['machine.json', 'written']]);
  });

  it('waits for no machine where the dialog was closed meanwhile', async () => {
    let heard = 0;
    const { state, tune, whileWatched } = setUp(text, { hear: async () => ({ isWell: true, words: String(++heard) }) });
    state.open();
    await state.pickFile();
    tune(0.4);
    whileWatched(() => state.close());
    await state.write();
    expect([heard, state.hearing, state.canUndo]).toEqual([0, '', true]);
  });

  it('writes no broken text, and says what the file system says', async () => {
    const { state, config, there, tune, file } = setUp();
    await state.pickFile();
    config.typeText('{ broken');
    await state.write();
    expect([state.fault?.message, there()]).toEqual([expect.stringMatching(/mistake/), text]);
    config.undo();
    tune(0.4);
    file.write = () => Promise.reject(new Error('The disk is full.'));
    await state.write();
    expect([state.fault?.message, state.canUndo, state.differs]).toEqual(['The disk is full.', false, true]);
  });

  it('tells what the machine makes of it, and nothing of one that was left', async () => {
    const { state, tune } = setUp(text, { hear: async () => ({ isWell: true, words: 'The machine has it.' }) });
    state.open();
    await state.pickFile();
    tune(0.4);
    await state.write();
    await expect.poll(() => state.word).toEqual({ isWell: true, words: 'The machine has it.' });
    state.close();
    expect([state.word, state.hearing]).toEqual([null, '']);
  });

  it('shows what is waited for, and nothing of a machine that answers after the next write', async () => {
    const words = [deferred<string>(), deferred<string>()];
    const says: ((doing: string) => void)[] = [];
    const { state, tune } = setUp(text, {
      hear: async (_, say) => ({ isWell: true, words: await words[says.push(say) - 1]!.promise }),
    });
    state.open();
    await state.pickFile();
    tune(0.4);
    await state.write();
    says[0]!('reading');
    expect(state.hearing).toBe('reading');
    await state.undo();
    expect(state.hearing).toBe('');
    says[0]!('still reading');
    expect(state.hearing).toBe('');
    says[1]!('reading again');
    words[0]!.resolve('It has the first.');
    await words[0]!.promise;
    await Promise.resolve();
    await Promise.resolve();
    expect([state.hearing, state.word]).toEqual(['reading again', null]);
    words[1]!.resolve('It has the second.');
    await expect.poll(() => state.word?.words).toBe('It has the second.');
    expect(state.hearing).toBe('');
  });

  it('writes though the machine does not answer, and says that', async () => {
    const { state, tune, there, whileWatched } = setUp();
    state.open();
    await state.pickFile();
    tune(0.4);
    whileWatched(() => {
      throw new Error('robot:8080 does not answer.');
    });
    await state.write();
    expect(there()).toContain('0.4');
    await expect
      .poll(() => state.word)
      .toEqual({ isWell: false, words: 'It is not known whether the machine has it: robot:8080 does not answer.' });
  });

  it('records what was certified of what it writes, beside it and never in it', async () => {
    const { state, tune, there } = setUp(text, { certified: ['recall of person ≥ 0.95'] });
    await state.pickFile();
    tune(0.4);
    await state.write();
    expect(state.journal).toMatchObject([{ what: 'written', certified: ['recall of person ≥ 0.95'] }]);
    expect(there()).not.toContain('recall of person');
    expect(state.exportJournal()).toContain('recall of person ≥ 0.95');
    await state.undo();
    expect(state.journal[0]).not.toHaveProperty('certified');
  });

  it('exports its journal without keys', async () => {
    const { state, tune } = setUp();
    await state.pickFile();
    tune(0.4);
    await state.write();
    expect(state.exportJournal()).toContain('default_minimum_confidence');
    expect(state.exportJournal()).not.toContain('s3cret');
  });

  it('doubts the machine that is connected before it writes, and again when another one may be', async () => {
    const other: Doubt = { isCertain: true, words: 'another machine' };
    const answers: (() => Promise<Doubt | null>)[] = [async () => other, async () => null];
    const { state, asked } = setUp(text, { doubt: () => answers.shift()!() });
    await state.pickFile();
    await expect.poll(() => state.doubt).toEqual(other);
    expect(asked).toEqual([{ partId: null, text }]);
    state.close();
    state.open();
    expect(state.doubt).toBeNull();
    await expect.poll(() => asked.length).toBe(2);
    expect(state.doubt).toBeNull();
  });

  it('takes no doubt of the machine before for one of this', async () => {
    let answer!: (doubt: Doubt) => void;
    const late = new Promise<Doubt>((resolve) => (answer = resolve));
    const answers: (() => Promise<Doubt | null>)[] = [() => late, async () => null];
    const { state } = setUp(text, { doubt: () => answers.shift()!() });
    await state.pickFile();
    state.open();
    answer({ isCertain: true, words: 'of the one before' });
    await late;
    await Promise.resolve();
    expect(state.doubt).toBeNull();
    state.leave();
    expect(state.doubt).toBeNull();
  });
});
