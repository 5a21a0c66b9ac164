import { describe, expect, it } from 'vitest';
import type { AnswerHere, LiveCapture, LiveImage } from './live-machine.ts';
import { verdictOf } from './difference-words.ts';
import { ascii, tiff, withSegment } from '../../../tests/image-headers.ts';
import { withoutOrientation } from '../../evidence/datasets/image-size/without-orientation.ts';
import { parityHtml, parityJson, type ParitySubject } from './parity-report.ts';
import { proveFrames, type Proof, type ProofOptions } from './prove-frames.ts';

const imageOf = (byte: number): LiveImage => ({
  sourceName: '',
  mediaType: 'image/png',
  bytes: Uint8Array.of(byte),
  capturedAtMs: null,
});
const row = (xMax: number, score = 0.5) => ({ label: '<cat>', score, xMin: 0, yMin: 0, xMax, yMax: 9 });
const captureOf = (byte: number): LiveCapture => ({
  image: imageOf(byte),
  detections: [row(byte)],
  classifications: null,
});
const same = ({ bytes }: LiveImage): Promise<AnswerHere> =>
  Promise.resolve({ widthPx: 8, heightPx: 6, detections: [row(bytes[0]!)], classifications: null });

function options(changes: Partial<ProofOptions> = {}): ProofOptions {
  return {
    frames: 4,
    facts: { model: null, rule: null },
    confirm: (capture) => Promise.resolve(capture),
    signal: new AbortController().signal,
    onProgress: () => {},
    ...changes,
  };
}

/** Answers to questions in turn: pictures 1, 2, 3 … */
function machineOf(pictures: (asked: number) => number = (asked) => asked) {
  let asked = 0;
  return { ask: () => Promise.resolve(captureOf(pictures(++asked))), asked: () => asked };
}

describe('a proof over frames', () => {
  it('asks for as many as are wanted, and tells after each', async () => {
    const seen: number[] = [];
    const { ask, asked } = machineOf();
    const proof = await proveFrames(ask, same, options({ onProgress: ({ frames }) => seen.push(frames) }));
    expect(seen).toEqual([1, 2, 3, 4]);
    expect(asked()).toBe(4);
    expect(proof).toMatchObject({
      frames: 4,
      changes: 4,
      counts: { equal: 4, 'scores-differ': 0, rounding: 0, differs: 0 },
      rows: 4,
    });
    expect(verdictOf(proof)).toBe('Equal on 4 frames (4 pictures, 4 rows).');
  });

  it('counts a picture that stands still once', async () => {
    const { ask } = machineOf((asked) => Math.ceil(asked / 2));
    const proof = await proveFrames(ask, same, options());
    expect(proof).toMatchObject({ frames: 4, changes: 2 });
    expect(proof.samples.map(({ frame }) => frame)).toEqual([0, 2]);
  });

  it('asks for the next frame while one runs here', async () => {
    const { ask, asked } = machineOf();
    const askedWhileRunning: number[] = [];
    const run = (image: LiveImage) => {
      askedWhileRunning.push(asked());
      return same(image);
    };
    await proveFrames(ask, run, options({ frames: 3 }));
    expect(askedWhileRunning).toEqual([2, 3, 3]);
  });

  it('keeps the first frames that differ, and counts why', async () => {
    const { ask } = machineOf();
    const run = async (image: LiveImage): Promise<AnswerHere> => ({ ...(await same(image)), detections: [row(99)] });
    const proof = await proveFrames(ask, run, options({ frames: 20 }));
    expect(proof.counts.differs).toBe(20);
    expect(proof.examples.map(({ frame }) => frame)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(proof.reasons).toMatchObject([{ reason: 'unknown', frames: 20 }]);
    expect(verdictOf(proof)).toMatch(/^Differs on 20 of 20 frames/);
  });

  it('does not blame thresholds where another frame shows another model', async () => {
    const rule = { defaultMinimumConfidence: 0.3, labelConfidences: {} };
    const reasonsOf = async (missingHere: number): Promise<string[]> => {
      const run = async (image: LiveImage): Promise<AnswerHere> => {
        const [first] = image.bytes;
        const rows = first === missingHere ? [] : [row(first!), row(50, 0.4)];
        return { ...(await same(image)), detections: rows };
      };
      const proof = await proveFrames(machineOf().ask, run, options({ facts: { model: null, rule } }));
      return proof.reasons.map(({ reason }) => reason);
    };
    expect(await reasonsOf(-1)).toEqual(['thresholds-differ']);
    expect(await reasonsOf(2)).toEqual(['other-rows']);
  });

  it('says that frames do not tell why, unless another one does', async () => {
    const rule = { defaultMinimumConfidence: 0.6, labelConfidences: {} };
    const reasonsOf = async (here: (first: number) => readonly ReturnType<typeof row>[]): Promise<string[]> => {
      const run = async (image: LiveImage): Promise<AnswerHere> => ({
        ...(await same(image)),
        detections: here(image.bytes[0]!),
      });
      const proof = await proveFrames(machineOf().ask, run, options({ facts: { model: null, rule } }));
      return proof.reasons.map(({ reason }) => reason);
    };
    const rounded = (first: number) => row(first + 1);
    expect(await reasonsOf(() => [])).toEqual(['cannot-tell']);
    expect(await reasonsOf((first) => (first === 1 ? [rounded(first)] : []))).toEqual(['cannot-tell', 'rounding']);
    expect(await reasonsOf((first) => (first === 1 ? [row(first), row(50, 0.7)] : []))).toEqual(['thresholds-differ']);
  });

  it('believes that a frame differs only once the machine was asked about its bytes', async () => {
    const confirmed: number[] = [];
    const run = async (image: LiveImage): Promise<AnswerHere> =>
      image.bytes[0]! > 2 ? same(image) : { ...(await same(image)), detections: [row(image.bytes[0] === 2 ? 99 : 2)] };
    const confirm = (capture: LiveCapture): Promise<LiveCapture> => {
      const [byte] = capture.image.bytes;
      confirmed.push(byte!);
      return Promise.resolve({ ...capture, detections: [row(byte === 2 ? 99 : 2)] });
    };
    const proof = await proveFrames(machineOf().ask, run, options({ confirm }));
    expect(confirmed).toEqual([1, 2]); // of the first an edge is a pixel apart
    expect(proof.counts).toEqual({ equal: 4, 'scores-differ': 0, rounding: 0, differs: 0 });
  });

  it('ends with what it has when it is broken off, also while it waits', async () => {
    const stop = new AbortController();
    const proof = await proveFrames(
      machineOf().ask,
      same,
      options({ frames: 99, signal: stop.signal, onProgress: ({ frames }) => frames === 2 && stop.abort() }),
    );
    expect(proof.frames).toBe(2);

    const late = new AbortController();
    const waiting = proveFrames(
      () => new Promise((_, reject) => late.signal.addEventListener('abort', () => reject(new Error('broken off')))),
      same,
      options({ signal: late.signal }),
    );
    late.abort();
    expect(await waiting).toMatchObject({ frames: 0 });
  });

  it('fails with what either side fails with', async () => {
    const broken = () => Promise.reject(new Error('lens cap on'));
    await expect(proveFrames(broken, same, options())).rejects.toThrow('lens cap on');
    await expect(proveFrames(machineOf().ask, broken, options())).rejects.toThrow('lens cap on');
  });
});

const subject: ParitySubject = {
  address: 'http://robot:8080',
  machineVersion: 'v1',
  visionName: 'v',
  cameraName: '',
  asked: 'with-the-frame',
  backend: 'wasm',
  modelFileName: 'm.onnx',
  isModelBorrowed: false,
  modelSha256: 'ab',
  configText: '{"a":"</pre>"}',
  startedAtMs: 0,
  endedAtMs: 1500,
};

describe('the report of a proof', () => {
  async function proofThat(differs: boolean): Promise<Proof> {
    const run = async (image: LiveImage): Promise<AnswerHere> =>
      differs
        ? { ...(await same(image)), detections: [row(99)] }
        : { ...(await same(image)), detections: [row(1, 0.25)] };
    return proveFrames(machineOf(() => 1).ask, run, options({ frames: 2 }));
  }

  it('is data without pictures', async () => {
    const json = JSON.parse(JSON.stringify(parityJson(subject, await proofThat(true)))) as object;
    expect(json).toMatchObject({
      address: 'http://robot:8080',
      endedAt: '1970-01-01T00:00:01.500Z',
      frames: 2,
      counts: { differs: 2 },
      examples: [{ frame: 0, image: { mediaType: 'image/png', sizeBytes: 1 }, differences: [{ what: 'box' }] }, {}],
    });
    expect(JSON.stringify(json)).not.toContain('bytes');
  });

  it('is a page with both answers drawn, in which nothing of the machine is markup', async () => {
    const html = parityHtml(subject, await proofThat(true));
    expect(html).toContain('viewBox="0 0 8 6"');
    expect(html).toContain('<rect class="here" x="0" y="0" width="99" height="9"><title>&lt;cat&gt;</title></rect>');
    expect(html).toContain('<rect class="there" x="0" y="0" width="1" height="9">');
    expect(html).toContain('data:image/png;base64,AQ==');
    expect(html).toContain('{&quot;a&quot;:&quot;&lt;/pre&gt;&quot;}');
    expect(html).not.toContain('<cat>');
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('draws boxes on the picture as it is stored with orientation %i', async (at) => {
    const bytes = withSegment(0xe1, [...ascii('Exif'), 0, 0, ...tiff(at, at % 2 === 0)]) as Uint8Array<ArrayBuffer>;
    const stored = withoutOrientation(bytes.slice());
    expect(Buffer.compare(stored, bytes) === 0).toBe(at === 1);
    const proof = await proofThat(true);
    const examples = proof.examples.map((one) => ({ ...one, image: { ...one.image, mediaType: 'image/jpeg', bytes } }));
    const [, drawn] = /data:image\/jpeg;base64,([^"]+)/.exec(parityHtml(subject, { ...proof, examples }))!;
    const shown = Uint8Array.from(atob(drawn!), (letter) => letter.charCodeAt(0));
    expect(shown).toEqual(stored);
  });

  it('says how far scores are apart where nothing else differs', async () => {
    const proof = await proofThat(false);
    expect(verdictOf(proof)).toBe(
      'Same labels, boxes and order on 2 frames (1 picture, 2 rows); scores differ by at most 0.25.',
    );
    expect(parityHtml(subject, proof)).toContain('scores differ by at most 0.25');
  });
});
