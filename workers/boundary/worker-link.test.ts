import { expect, it } from 'vitest';
import { callOnce, linkWorker } from './worker-link.ts';

/** A worker that answers nothing, and counts how often it is ended. */
class SilentWorker extends EventTarget {
  terminations = 0;
  postMessage(): void {}
  terminate(): void {
    this.terminations++;
  }
  crash(message: string): void {
    this.dispatchEvent(Object.assign(new Event('error'), { message }));
  }
}
interface Api {
  ask(): Promise<string>;
}

function link() {
  const worker = new SilentWorker();
  const linked = linkWorker<Api>(worker as unknown as Worker, (words) => new Error(`It stopped: ${words}`));
  return { worker, linked };
}

it('rejects calls under way and later ones with the reason for which the worker ended', async () => {
  const { worker, linked } = link();
  const asked = linked.api.ask();
  worker.crash('out of memory');
  await expect(asked).rejects.toThrow('It stopped: out of memory');
  await expect(linked.api.ask()).rejects.toThrow('It stopped: out of memory');
  expect([linked.isOver, (await linked.ended).message]).toEqual([true, 'It stopped: out of memory']);
});

it('ends once: the first reason stays, whoever closes it later', async () => {
  const { worker, linked } = link();
  linked.close(new Error('The dialog was closed.'));
  worker.crash('late');
  linked.close();
  await expect(linked.api.ask()).rejects.toThrow('The dialog was closed.');
  expect(worker.terminations).toBe(1);
});

it('ends a worker that was started for one call when the signal aborts, and starts none where it did before', async () => {
  const started: SilentWorker[] = [];
  const start = () => started[started.push(new SilentWorker()) - 1] as unknown as Worker;
  const leaving = new AbortController();
  const ask = () =>
    callOnce(
      start,
      (words) => new Error(words),
      leaving.signal,
      (api: Api) => api.ask(),
    );
  const asked = ask();
  leaving.abort(new Error('The dialog was closed.'));
  await expect(asked).rejects.toThrow('The dialog was closed.');
  await expect(ask()).rejects.toThrow('The dialog was closed.');
  expect(started.map(({ terminations }) => terminations)).toEqual([1]);
});
