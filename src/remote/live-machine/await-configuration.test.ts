import { describe, expect, it } from 'vitest';
import { awaitConfiguration } from './await-configuration.ts';
import { LinkError } from './link-error.ts';
import type { LiveMachine, MachineHealth, ResourceHealth } from './live-machine.ts';

const resource = (name: string, changes: Partial<ResourceHealth> = {}): ResourceHealth => ({
  api: 'rdk:service:vision',
  name,
  isReady: true,
  updatedAtMs: 1,
  revision: '',
  error: '',
  ...changes,
});
const healthOf = (...resources: ResourceHealth[]): MachineHealth => ({ isRunning: true, revision: '', resources });

/** What a machine says, question after question; its last word stays. */
function asked(before: MachineHealth, ...words: (MachineHealth | LinkError)[]) {
  let nowMs = 0;
  let questions = 0;
  const health = async () => {
    const word = words[Math.min(questions++, words.length - 1)]!;
    if (word instanceof LinkError) throw word;
    return word;
  };
  const machine = { health } as unknown as LiveMachine;
  return awaitConfiguration(machine, {
    before,
    resources: ['v', 'm'],
    signal: new AbortController().signal,
    nowMs: () => nowMs,
    wait: async (ms) => void (nowMs += ms),
  });
}

const before = healthOf(resource('v'), resource('cam'));

describe('a configuration that was written', () => {
  it('is there when what was tuned was built anew and is ready', async () => {
    const building = healthOf(resource('v', { updatedAtMs: 2, isReady: false }));
    expect(await asked(before, before, building, healthOf(resource('v', { updatedAtMs: 3 })))).toEqual({
      isWell: true,
      words: 'The machine has it: “v” is ready.',
    });
  });

  it('counts a resource that is new, and one of another revision', async () => {
    expect(await asked(before, healthOf(resource('m'), resource('v', { revision: 'r2' })))).toMatchObject({
      isWell: true,
    });
  });

  it('is waited for while the machine starts anew with it, not where it wants another key', async () => {
    const away = new LinkError('no-answer', 'gone', 'wait');
    expect(await asked(before, away, away, healthOf(resource('v', { updatedAtMs: 2 })))).toMatchObject({
      isWell: true,
    });
    const refused = new LinkError('wrong-key', 'no', 'give one');
    await expect(asked(before, refused)).rejects.toBe(refused);
  });

  it('says what ails it in the machine’s words', async () => {
    const ill = healthOf(resource('v', { updatedAtMs: 2, isReady: false, error: 'no model "x"' }));
    expect(await asked(before, ill)).toEqual({ isWell: false, words: '“v”: no model "x"' });
    const building = healthOf(resource('v', { updatedAtMs: 2, isReady: false }));
    expect(await asked(before, building, ill)).toMatchObject({ isWell: false });
  });

  it('says that the machine is away where it stays so', async () => {
    const away = new LinkError('no-answer', 'gone', 'wait');
    expect(await asked(before, before, away)).toMatchObject({
      isWell: false,
      words: expect.stringMatching(/not answered/),
    });
  });

  it('is not taken for an earlier trouble, and gives up in words', async () => {
    const alreadyIll = healthOf(resource('v', { isReady: false, error: 'old' }));
    expect(await asked(alreadyIll, alreadyIll)).toMatchObject({
      isWell: false,
      words: expect.stringMatching(/no sign .* after 60 s/),
    });
  });
});
