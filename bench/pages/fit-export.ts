import { createFitClient } from '../../workers/fit/client.ts';
import { median } from '../figure.ts';

/**
 * Time in ms from the click to the fitted model and the archive of all files. Each round uses a new worker, as the dialog
 * does.
 */
async function measure(modelUrl: string, rounds: number) {
  const model = await (await fetch(modelUrl)).blob();
  const times: number[] = [];
  let archiveBytes = 0;
  for (let round = 0; round < rounds; round++) {
    const client = createFitClient(
      () => new Worker(new URL('../../workers/fit/entry.ts', import.meta.url), { type: 'module', name: 'fit' }),
    );
    const file = new File([model], 'model.onnx');
    const source = { modelId: `round-${round}`, fileName: file.name, source: { kind: 'file', file } } as const;
    const startMs = performance.now();
    await client.recognise(source);
    await client.fit(source, {}, () => undefined);
    const [fitted, archive] = [await client.fittedModel(), await client.archive()];
    times.push(performance.now() - startMs);
    if (fitted.size < model.size / 2) throw new Error(`The fitted model has ${fitted.size} bytes.`);
    archiveBytes = archive.size;
    client.end();
  }
  return { medianMs: median(times), leastMs: Math.min(...times), archiveBytes };
}

Object.assign(globalThis, { measure });
