import { describe, expect, it } from 'vitest';
import { SourceError, type OpenCamera, type OpenVideo, type StillFrame } from '../../ports/frame-source.ts';
import { isModelName } from '../../ports/model-file-name.ts';
import type { FrameInfo } from '../../vision/frame-info.ts';
import type { SessionState } from '../session/session-state.svelte.ts';
import { SourcesState, type SourcePorts } from './sources-state.svelte.ts';

const still = (name: string, blob: () => Promise<Blob> = async () => new Blob([name])): StillFrame => ({ name, blob });
const file = (name: string): File => new File([name], name);

/** Ports that hand out what a test gives them, and a session that notes what it is asked. */
function desk(given: Partial<{ openCamera: () => Promise<OpenCamera>; samples: StillFrame[] }> = {}) {
  const log: string[] = [];
  const session = {
    run: async (_frame: Blob, { name, index }: FrameInfo) => {
      log.push(`run ${index} ${name}`);
      return true;
    },
    runStreamed: async (_frame: ImageBitmap, { name }: FrameInfo) => void log.push(`stream ${name}`),
    follow: async (_frames: ReadableStream, name: string) => void log.push(`follow ${name}`),
    stop: async () => void log.push('stop'),
    endStream: () => {},
  } as unknown as SessionState;

  let gone: () => void = () => {};
  const camera: OpenCamera = {
    label: 'Desk camera',
    widthPx: 1280,
    heightPx: 720,
    frameRate: 30,
    frames: {} as ReadableStream<VideoFrame>,
    onEnded: (listener) => (gone = listener),
    stop: () => void log.push('camera released'),
  };
  let showFrame: (frame: ImageBitmap, info: FrameInfo) => void = () => {};
  const video = {
    name: 'belt.mp4',
    playing: false,
    positionMs: 0,
    loop: false,
    play: async () => void log.push('play'),
    pause: () => void log.push('pause'),
    step: async (frames: number) => void log.push(`step ${frames}`),
    onFrame: (listener: typeof showFrame) => (showFrame = listener),
    onStateChange: () => {},
    close: () => void log.push('video closed'),
  } as unknown as OpenVideo;

  const sort = (files: readonly File[]) => ({
    stills: files.filter(({ name }) => name.endsWith('.png')).map(({ name }) => still(name)),
    videos: files.filter(({ name }) => name.endsWith('.mp4')),
    models: files.filter(({ name }) => isModelName(name)),
    others: files.filter(({ name }) => !/\.(png|mp4)$/.test(name) && !isModelName(name)),
  });
  const ports: SourcePorts = {
    camera: { devices: async () => [], open: given.openCamera ?? (async () => camera) },
    video: { open: async () => video },
    stills: {
      builtin: async () => given.samples ?? [still('sample1.jpg'), still('sample2.jpg')],
      fromTransfer: async () => sort([]),
      fromFiles: sort,
      fromUrl: async (url) => still(url),
    },
  };
  const sources = new SourcesState(ports, session);
  return {
    sources,
    log,
    unplug: () => gone(),
    showFrame: (info: FrameInfo) => showFrame({ close() {} } as ImageBitmap, info),
  };
}

describe('SourcesState', () => {
  it('shows the first sample without a click', async () => {
    const { sources, log } = desk();
    await sources.showSamples();
    expect(log).toEqual(['run 0 sample1.jpg']);
    expect(sources.showsSamples).toBe(true);
  });

  it('steps through stills and stays at the ends', async () => {
    const { sources, log } = desk();
    await sources.showSamples();
    await sources.move(1);
    await sources.move(1);
    await sources.move(-5);
    expect(log).toEqual(['run 0 sample1.jpg', 'run 1 sample2.jpg', 'run 0 sample1.jpg']);
  });

  it('puts the first own images in place of the samples, later ones behind them', async () => {
    const { sources, log } = desk();
    await sources.showSamples();
    await sources.useFiles([file('a.png'), file('b.png')]);
    await sources.useFiles([file('c.png')]);
    expect(sources.stills.frames.map(({ name }) => name)).toEqual(['a.png', 'b.png', 'c.png']);
    expect(log.slice(1)).toEqual(['run 0 a.png', 'run 2 c.png']);
  });

  it('does not show a still that a later choice overtook', async () => {
    let arrive: (blob: Blob) => void = () => {};
    let opened: () => void = () => {};
    const opening = new Promise<void>((resolve) => (opened = resolve));
    const slow = still('slow.jpg', () => {
      opened();
      return new Promise((resolve) => (arrive = resolve));
    });
    const { sources, log } = desk({ samples: [slow, still('quick.jpg')] });
    const first = sources.showSamples();
    await opening;
    await sources.selectStill(1);
    arrive(new Blob());
    await first;
    expect(log).toEqual(['run 1 quick.jpg']);
  });

  it('hands a dropped model on and leaves the frames as they are', async () => {
    const { sources, log } = desk();
    const models: string[] = [];
    sources.onModelFile = ({ name }) => models.push(name);
    await sources.useFiles([file('yolo.onnx')]);
    expect(models).toEqual(['yolo.onnx']);
    expect(log).toEqual([]);
    expect(sources.fault).toBeNull();
  });

  it('hands on what belongs to the model, and models of other kinds too: what they are is said there', async () => {
    const { sources } = desk();
    const models: string[][] = [];
    sources.onModelFile = ({ name }, beside) => models.push([name, ...beside.map((one) => one.name)]);
    await sources.useFiles(['yolo.onnx', 'yolo.onnx.data'].map(file));
    await sources.useFiles([file('best.pt')]);
    expect(models).toEqual([['yolo.onnx', 'yolo.onnx.data'], ['best.pt']]);
    expect([sources.note, sources.fault]).toEqual(['', null]);
  });

  it('takes no annotation beside pictures for a model', async () => {
    const { sources } = desk();
    const models: string[] = [];
    sources.onModelFile = ({ name }) => models.push(name);
    await sources.useFiles(['a.png', 'a.xml'].map(file));
    expect([models, sources.note]).toEqual([[], 'Left aside: a.xml.']);
    await sources.useFiles(['a.png', 'a.xml', 'net.onnx'].map(file));
    expect(models).toEqual(['net.onnx']);
  });

  it('hands configurations and label lists on, and counts only the rest as left aside', async () => {
    const { sources } = desk();
    sources.onTextFile = ({ name }) => Promise.resolve(name.endsWith('.json'));
    await sources.useFiles(['machine.json', 'a.png', 'notes.doc'].map(file));
    expect(sources.note).toBe('Left aside: notes.doc.');
    await sources.useFiles([file('machine.json')]);
    expect([sources.note, sources.fault]).toEqual(['', null]);
  });

  it('names what it left aside, and says so when nothing is left', async () => {
    const { sources } = desk();
    await sources.useFiles(['a.png', '1.txt', '2.txt', '3.txt', '4.txt'].map(file));
    expect(sources.note).toBe('Left aside: 1.txt, 2.txt, 3.txt and 1 more.');
    await sources.useFiles([file('notes.txt')]);
    expect(sources.note).toBe('');
    expect(sources.fault?.message).toContain('notes.txt');
  });

  it('follows the webcam from a click to a click', async () => {
    const { sources, log } = desk();
    await sources.startCamera();
    expect(sources.title).toBe('Desk camera');
    expect(sources.kind).toBe('camera');
    await sources.togglePlay();
    expect(log).toEqual(['follow Desk camera', 'camera released', 'stop']);
    expect(sources.camera.open).toBeNull();
  });

  it('releases the webcam when something else is shown', async () => {
    const { sources, log } = desk();
    await sources.startCamera();
    await sources.useFiles([file('a.png')]);
    expect(log).toEqual(['follow Desk camera', 'camera released', 'stop', 'run 0 a.png']);
  });

  it('says in words why the webcam does not start, and the cure', async () => {
    const { sources } = desk({
      openCamera: async () => {
        throw new SourceError('not-allowed', 'The browser does not allow the camera.', 'Allow it beside the address.');
      },
    });
    await sources.startCamera();
    expect(sources.fault).toEqual({
      message: 'The browser does not allow the camera.',
      cure: 'Allow it beside the address.',
    });
    expect(sources.kind).toBe('stills');
    expect(sources.camera.opening).toBe(false);
  });

  it('says when the webcam is unplugged', async () => {
    const { sources, unplug } = desk();
    await sources.startCamera();
    unplug();
    expect(sources.fault?.message).toBe('The camera went away.');
    expect(sources.camera.open).toBeNull();
  });

  it('plays a video and steps through it', async () => {
    const { sources, log, showFrame } = desk();
    await sources.useFiles([file('belt.mp4')]);
    showFrame({ name: 'belt.mp4', index: 0, timestampMs: 0 });
    await sources.move(-1);
    await sources.showSamples();
    expect(log).toEqual(['play', 'stream belt.mp4', 'pause', 'step -1', 'video closed', 'run 0 sample1.jpg']);
  });
});
