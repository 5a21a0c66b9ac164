import type { Page } from 'playwright';
import type { CountedMemory } from './counted-memory.ts';
import { openProtocol } from './debugging-protocol.ts';

export interface MemoryInUse extends CountedMemory {
  readonly heapBytes: number;
  /** memory of array buffers; V8 does not include WebAssembly memory */
  readonly bufferBytes: number;
}

interface HeapUsage {
  readonly usedSize: number;
  readonly embedderHeapUsedSize?: number;
  readonly backingStorageSize?: number;
}

interface Evaluated<T> {
  readonly result: { readonly value: T };
  readonly exceptionDetails?: { readonly text: string; readonly exception?: { readonly description?: string } };
}

/**
 * Watches an empty page and all workers that it and its workers will start, in each of which `counting` (pages/count-memory.ts) runs
 * first; returns what asks them what they hold, after a garbage
 * collection. Each thread answers for itself over the debugging protocol. (Its Runtime.queryObjects, which would find WebAssembly
 * memories without watching, never answers in a worker that has compiled ONNX Runtime.)
 */
export async function watchMemory(
  page: Page,
  debuggingPort: number,
  counting: string,
): Promise<() => Promise<MemoryInUse>> {
  const session = await page.context().newCDPSession(page);
  const { targetInfo } = await session.send('Target.getTargetInfo');
  await session.detach();
  const protocol = await openProtocol(`ws://127.0.0.1:${debuggingPort}/devtools/page/${targetInfo.targetId}`);
  const threads: (string | undefined)[] = [undefined];

  async function evaluate<T>(thread: string | undefined, expression: string): Promise<T> {
    const { result, exceptionDetails } = await protocol.send<Evaluated<T>>(thread, 'Runtime.evaluate', {
      expression,
      returnByValue: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }
  const watchWorkers = (thread: string | undefined) =>
    protocol.send(thread, 'Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true });
  protocol.onAttached(async (thread, type) => {
    if (type === 'worker') {
      threads.push(thread);
      await evaluate(thread, counting);
      await watchWorkers(thread);
    }
    await protocol.send(thread, 'Runtime.runIfWaitingForDebugger');
  });
  protocol.onDetached((thread) => void threads.splice(threads.indexOf(thread), 1));
  await protocol.send(undefined, 'Page.enable');
  await protocol.send(undefined, 'Page.addScriptToEvaluateOnNewDocument', { source: counting });
  await watchWorkers(undefined);

  return async () => {
    const sum = { heapBytes: 0, bufferBytes: 0, wasmBytes: 0, gpuBytes: 0 };
    for (const thread of threads) {
      await protocol.send(thread, 'HeapProfiler.collectGarbage');
      const usage = await protocol.send<HeapUsage>(thread, 'Runtime.getHeapUsage');
      const counted = await evaluate<CountedMemory>(thread, 'countedMemory()');
      sum.heapBytes += usage.usedSize + (usage.embedderHeapUsedSize ?? 0);
      sum.bufferBytes += usage.backingStorageSize ?? 0;
      sum.wasmBytes += counted.wasmBytes;
      sum.gpuBytes += counted.gpuBytes;
    }
    return sum;
  };
}
