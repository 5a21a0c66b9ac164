import { create } from '@bufbuild/protobuf';
import { describe, expect, it, vi } from 'vitest';
import { fixedDetector } from '../../../tests/models.ts';
import { StringStringEntryProtoSchema, TensorProto_DataLocation } from '../../../src/gen/onnx_pb.ts';
import { decodeModel, GraphBuilder } from '../../../src/models/onnx/edit-model.ts';
import { encodeModel } from '../../../src/models/onnx/encode-model.ts';
import { readModel } from '../../../src/models/onnx/read-model.ts';
import type { LoadProgress } from '../protocol.ts';
import type { ModelSource } from '../../../src/platform/ports/model-source.ts';
import type { ModelStore } from '../../../src/platform/ports/model-store.ts';
import { readModelSource } from './read-model-source.ts';

const bytes = Uint8Array.from({ length: 1000 }, (_, i) => i % 251);
const store: ModelStore = {
  list: () => Promise.resolve([]),
  read: (sha256) => Promise.resolve(sha256 === 'aa' ? { blob: new Blob([bytes]), fileName: 'kept.onnx' } : null),
  write: () => Promise.resolve(),
  remove: () => Promise.resolve(),
};

function read(
  source: ModelSource,
  fetch: (url: string) => Promise<Response> = () => Promise.reject(new TypeError('blocked')),
) {
  const fractions: LoadProgress['fraction'][] = [];
  const access = { store, fetch, documentBase: 'https://bench.example/app/' };
  const reading = readModelSource(
    source,
    access,
    ({ fraction }) => fractions.push(fraction),
    new AbortController().signal,
  );
  return { reading, fractions };
}

const gibibyte = 2 ** 30;
/** Says its size, and fails the test where it is read. */
const vast = (name: string, size: number) =>
  Object.defineProperties(new File([], name), {
    size: { value: size },
    stream: { value: () => expect.unreachable('it is read') },
  });
const refusal = { code: 'out-of-memory', message: expect.stringContaining('3.2 GB, and opening it takes at least') };

describe('readModelSource', () => {
  it.each<[string, ModelSource]>([
    ['a.onnx', { kind: 'file', file: new File([bytes], 'a.onnx') }],
    ['kept.onnx', { kind: 'stored', sha256: 'aa' }],
    ['net v2.onnx', { kind: 'url', url: 'https://models.example/x/net%20v2.onnx?download=1' }],
  ])('reads %s', async (fileName, source) => {
    const { reading, fractions } = read(source, () =>
      Promise.resolve(new Response(bytes, { headers: { 'content-length': '1000' } })),
    );
    expect(await reading).toEqual({ fileName, bytes });
    expect(fractions.at(-1)).toBe(1);
  });

  describe('of a model that keeps its weights in another file', () => {
    const build = new GraphBuilder();
    build.output('y', build.add('Identity', [build.floats([2], [0, 0])]), 'float32', [2]);
    const model = decodeModel(build.build({ graphName: 'g', producer: 'p', opset: 18 }));
    const [weights] = model.graph.initializer;
    weights!.rawData = new Uint8Array();
    weights!.dataLocation = TensorProto_DataLocation.EXTERNAL;
    const location = create(StringStringEntryProtoSchema, { key: 'location', value: 'net.onnx.data' });
    weights!.externalData = [location];
    const file = new File([encodeModel(model)], 'net.onnx');
    const values = Float32Array.of(1, 2);

    it('takes them in, of what was given with it', async () => {
      const beside = [new File(['x'], 'notes.bin'), new File([values], 'net.onnx.data')];
      const { bytes: whole } = await read({ kind: 'file', file, beside }).reading;
      const [taken] = decodeModel(whole).graph.initializer;
      expect(new Float32Array(taken!.rawData.slice().buffer)).toEqual(values);
      expect(readModel(whole).externalFiles).toEqual([]);
    });

    it('says which is missing', async () => {
      const beside = [new File([values], 'other.data')];
      await expect(read({ kind: 'file', file, beside }).reading).rejects.toMatchObject({
        code: 'external-data-missing',
        message: expect.stringContaining('net.onnx.data'),
      });
    });

    it('refuses weights that no browser can hold, and reads none of them', async () => {
      const beside = [vast('net.onnx.data', 3 * gibibyte)];
      await expect(read({ kind: 'file', file, beside }).reading).rejects.toMatchObject(refusal);
    });

    it('leaves a model that has its own weights as it is', async () => {
      const whole = fixedDetector({ boxes: [[0, 0, 1, 1]], categories: [0], scores: [1] });
      const source = { kind: 'file', file: new File([whole], 'a.onnx'), beside: [new File(['x'], 'a.data')] } as const;
      expect((await read(source).reading).bytes).toEqual(whole);
    });
  });

  it('finds built-in models beside the page', async () => {
    const asked: string[] = [];
    const { reading, fractions } = read({ kind: 'builtin', id: 'face-detector' }, (url) => {
      asked.push(url);
      return Promise.resolve(new Response(bytes));
    });
    expect((await reading).fileName).toBe('face-detector.onnx');
    expect(asked).toEqual(['https://bench.example/app/builtin/models/face-detector.onnx']);
    expect(fractions.at(-1)).toBeNull(); // no length, no measure
  });

  it.each<[string, RegExp, ModelSource, (() => Promise<Response>)?]>([
    ['not-stored', /Load it again/, { kind: 'stored', sha256: 'bb' }],
    ['network', /CORS.*Download the file/, { kind: 'url', url: 'https://models.example/a.onnx' }],
    [
      'http',
      /404/,
      { kind: 'url', url: 'https://models.example/a.onnx' },
      () => Promise.resolve(new Response('', { status: 404 })),
    ],
  ])('says in words: %s', async (code, message, source, fetch) => {
    const { reading } = read(source, fetch);
    await expect(reading).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });

  describe('a file that no browser can hold while it opens it', () => {
    it('is refused before it is read', async () => {
      const file = vast('vast.onnx', 3 * gibibyte);
      await expect(read({ kind: 'file', file }).reading).rejects.toMatchObject(refusal);
    });

    it('is refused of another host by its length', async () => {
      const headers = { 'content-length': String(3 * gibibyte) };
      const source = { kind: 'url', url: 'https://models.example/vast.onnx' } as const;
      const { reading } = read(source, () => Promise.resolve(new Response('', { headers })));
      await expect(reading).rejects.toMatchObject(refusal);
    });

    it('is refused in words where there is no memory to read it', async () => {
      const file = vast('a.onnx', 1.5 * gibibyte);
      const { Uint8Array: Whole } = globalThis;
      class Full extends Whole {
        constructor(byteLength: number) {
          if (byteLength > gibibyte) throw new RangeError('Array buffer allocation failed');
          super(byteLength);
        }
      }
      vi.stubGlobal('Uint8Array', Full);
      const { reading } = read({ kind: 'file', file });
      await expect(reading.finally(() => vi.unstubAllGlobals())).rejects.toMatchObject({
        code: 'out-of-memory',
        message: expect.stringContaining('no 1.6 GB left'),
      });
    });
  });

  it('stops when told to', async () => {
    const controller = new AbortController();
    const access = { store, fetch: () => Promise.reject(new Error('unused')), documentBase: 'https://bench.example/' };
    const source = { kind: 'file', file: new File([bytes], 'a.onnx') } as const;
    const reading = readModelSource(source, access, () => controller.abort(), controller.signal);
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
  });
});
