import { proxy } from 'comlink';
import { expect, it, onTestFinished } from 'vitest';
import { linkWorker, WorkerOnDemand } from '../../workers/boundary/worker-link.ts';
import type { AskedApi } from './fixtures/asked-worker.ts';

const stopped = (words: string): Error => new Error(`It stopped: ${words}.`);

const workers: Worker[] = [];
function startWorker(): Worker {
  const worker = new Worker(new URL('./fixtures/asked-worker.ts', import.meta.url), { type: 'module' });
  workers.push(worker);
  onTestFinished(() => worker.terminate());
  return worker;
}

const link = () => linkWorker<AskedApi>(startWorker(), stopped);

it('answers calls once it is started, those before too', async () => {
  const { api } = link();
  const early = api.greet('Ada');
  await api.start('Hello');
  expect(await early).toBe('Hello, Ada');
});

it('rejects every call with what its start rejects with, and its code', async () => {
  const { api } = link();
  const early = api.greet('Ada');
  early.catch(() => undefined);
  await expect(api.start('')).rejects.toMatchObject({ code: 'no-greeting', message: 'no greeting' });
  await expect(early).rejects.toMatchObject({ code: 'no-greeting' });
});

it('lends functions for the call, and for good those that are marked so', async () => {
  const { api } = link();
  await api.start('Hello');
  const heard: string[] = [];
  await api.borrow((word) => heard.push(word));
  await expect(api.useBorrowed()).rejects.toThrow('released');
  expect(heard).toEqual(['during the call']);
  await api.borrow(proxy((word: string) => heard.push(word)));
  await api.useBorrowed();
  expect(heard).toEqual(['during the call', 'during the call', 'after the call']);
});

it('rejects the calls under way and those after when the worker is gone', async () => {
  const { api, ended } = link();
  await api.start('Hello');
  const underWay = api.never();
  workers.at(-1)!.terminate();
  await expect(underWay).rejects.toThrow('It stopped: its worker was ended.');
  expect((await ended).message).toBe('It stopped: its worker was ended.');
  await expect(api.greet('Ada')).rejects.toThrow('It stopped: its worker was ended.');
});

it('ends a worker in which an error escaped', async () => {
  const { api } = link();
  await api.start('Hello');
  workers.at(-1)!.addEventListener('error', (event) => event.preventDefault());
  const underWay = api.never();
  await api.breakDown();
  await expect(underWay).rejects.toThrow('a screw came loose');
});

it('ends with the reason that it is given, the worker too', async () => {
  const { api, close, ended } = link();
  await api.start('Hello');
  const underWay = api.never();
  close(new Error('enough'));
  await expect(underWay).rejects.toThrow('enough');
  close(new Error('twice'));
  expect((await ended).message).toBe('enough');
});

it('starts with the first call, and again with the next one after a death', async () => {
  const before = workers.length;
  const onDemand = new WorkerOnDemand<AskedApi>(startWorker, stopped);
  expect([workers.length - before, onDemand.isRunning]).toEqual([0, false]);
  await onDemand.api.start('Hello');
  expect(await onDemand.api.greet('Ada')).toBe('Hello, Ada');
  const underWay = onDemand.api.never();
  expect([workers.length - before, onDemand.isRunning]).toEqual([1, true]);
  workers.at(-1)!.terminate();
  await expect(underWay).rejects.toThrow('It stopped');
  expect(onDemand.isRunning).toBe(false);
  await onDemand.api.start('Good evening');
  expect(await onDemand.api.greet('Ada')).toBe('Good evening, Ada');
  expect(workers.length - before).toBe(2);
});
