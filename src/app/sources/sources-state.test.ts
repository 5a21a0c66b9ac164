import { describe, expect, it } from 'vitest';
import { SourceError, type OpenCamera, type OpenVideo, type StillFrame } from '../../ports/frame-source.ts';
import { isModelName } from '../../ports/model-file-name.ts';
import type { FrameInfo } from '../../vision/frame-info.ts';
import type { SessionState } from '../session/session-state.svelte.ts';
import { SourcesState, type FirstSources, type SourcePorts } from './sources-state.svelte.ts';
import type { LiveMachineState } from '../live-machine/live-machine-state.svelte.ts';

const still = (name: string, blob: () => Promise<Blob> = async () => new Blob([name])): StillFrame => ({ name, blob });
const file = (name: string): File => new File([name], name);

/** A video that shows nothing by itself. */
const playedVideo = (name: string) => ({
  name,
  playing: false,
  positionMs: 0,
  loop: false,
  play: async () => {},
  onFrame: () => {},
  onStateChange: () => {},
});

/** What a test lets come when it wants it. */
function awaited<T>() {
  let come: (value: T) => void = () => {};
  const promise = new Promise<T>((resolve) => (come = resolve));
  return { promise, come };
}

/** Ports that hand out what a test gives them, and a session that notes what it is asked. */
function desk(
  given: Partial<{
    openCamera: () => Promise<OpenCamera>;
    openVideo: SourcePorts['video']['open'];
    samples: StillFrame[];
  }> = {},
) {
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
    changeSource: (name: string) => void log.push(`source ${name}`),
    sourceFailed: (error: Error) => void log.push(`failed ${error.message}`),
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
    ...playedVideo('belt.mp4'),
    play: async () => void log.push('play'),
    pause: () => void log.push('pause'),
    step: async (frames: number) => void log.push(`step ${frames}`),
    seek: async (positionMs: number) => void log.push(`seek ${positionMs}`),
    onFrame: (listener: typeof showFrame) => (showFrame = listener),
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
    video: { open: given.openVideo ?? (async () => video) },
    stills: {
      builtin: async () => given.samples ?? [still('sample1.jpg'), still('sample2.jpg')],
      fromTransfer: async () => sort([]),
      fromFiles: sort,
      fromUrl: async (url) => still(url),
    },
  };
  const machine = {
    frameName: 'cam · robot:8080',
    isFollowing: false,
    follow: async () => void (log.push('machine followed'), (machine.isFollowing = true)),
    stop: () => void (log.push('machine stopped'), (machine.isFollowing = false)),
  };
  const sources = new SourcesState(ports, session, machine as unknown as LiveMachineState);
  return {
    sources,
    log,
    unplug: () => gone(),
    showFrame: (info: FrameInfo) => showFrame({ close() {} } as ImageBitmap, info),
  };
}

describe('SourcesState', () => {
  it('follows a machine, and stops it for any other source', async () => {
    const { sources, log } = desk();
    await sources.startMachine();
    expect([sources.kind, sources.title]).toEqual(['machine', 'cam · robot:8080']);
    expect(log).toEqual(['source cam · robot:8080', 'machine followed']);
    for (const leave of [() => sources.showSamples(), () => sources.startCamera()]) {
      log.length = 0;
      await leave();
      expect(log[0]).toBe('machine stopped');
      expect(sources.kind).not.toBe('machine');
      await sources.startMachine();
    }
    expect(sources.givesFrames).toBe(true);
    await sources.togglePlay();
    expect([log.at(-1), sources.givesFrames]).toEqual(['machine stopped', false]);
    await sources.togglePlay();
    expect([log.at(-1), sources.givesFrames]).toEqual(['machine followed', true]);
  });

  it('shows the first sample without a click', async () => {
    const { sources, log } = desk();
    await sources.showSamples();
    expect(log).toEqual(['source sample1.jpg', 'run 0 sample1.jpg']);
    expect(sources.showsSamples).toBe(true);
  });

  it('begins with what there was, and puts what is given meanwhile behind it', async () => {
    const { sources, log } = desk();
    let find: (first: FirstSources) => void = () => {};
    const begun = sources.begin(() => new Promise((resolve) => (find = resolve)));
    const given = sources.useFiles([file('c.png')]);
    find({ stills: [still('a.png'), still('b.png')], isShown: ({ name }) => name === 'b.png', video: null });
    await Promise.all([begun, given]);
    expect(sources.stills.frames.map(({ name }) => name)).toEqual(['a.png', 'b.png', 'c.png']);
    expect([log[0], log.at(-1), sources.title]).toEqual(['source b.png', 'run 2 c.png', 'c.png']);
  });

  it('begins with a video where it stood, before any of its frames is heard of', async () => {
    const { sources, log } = desk();
    const video = { file: file('belt.mp4'), name: 'belt.mp4', place: { positionMs: 700, playing: false, loop: true } };
    await sources.begin(async () => ({ stills: [still('a.png')], isShown: () => true, video }));
    expect([log, sources.title]).toEqual([['seek 700', 'source belt.mp4'], 'belt.mp4']);
    expect(sources.stills.frames.map(({ name }) => name)).toEqual(['a.png']);
  });

  it('begins with the pictures where the video does not open, and says so', async () => {
    const refuse = () => Promise.reject(new SourceError('unsupported', 'It knows no decoder for it.', 'Convert it.'));
    const { sources, log } = desk({ openVideo: refuse });
    const video = { file: file('belt.mp4'), name: 'belt.mp4', place: { positionMs: 0, playing: true, loop: false } };
    await sources.begin(async () => ({ stills: [still('a.png')], isShown: () => true, video }));
    expect([log, sources.fault?.cure]).toEqual([['source a.png', 'run 0 a.png'], 'Convert it.']);
  });

  it('takes a picture out of the strip; after the last one the samples are back', async () => {
    const { sources, log } = desk();
    await sources.useFiles(['a.png', 'b.png', 'c.png'].map(file));
    await sources.selectStill(1);
    log.length = 0;
    await sources.removeStill(1);
    await sources.removeStill(0);
    expect([log, sources.title]).toEqual([['source c.png', 'run 1 c.png'], 'c.png']);
    await sources.removeStill(0);
    expect([sources.title, sources.showsSamples]).toEqual(['sample1.jpg', true]);
  });

  it('shows the picture before the last one when that is removed', async () => {
    const { sources } = desk();
    await sources.useFiles(['a.png', 'b.png'].map(file));
    await sources.selectStill(1);
    await sources.removeStill(1);
    expect([sources.title, sources.stills.index]).toEqual(['a.png', 0]);
  });

  it('steps through stills and stays at the ends', async () => {
    const { sources, log } = desk();
    await sources.showSamples();
    await sources.move(1);
    await sources.move(1);
    await sources.move(-5);
    const shown = (name: string, index: number) => [`source ${name}`, `run ${index} ${name}`];
    expect(log).toEqual([...shown('sample1.jpg', 0), ...shown('sample2.jpg', 1), ...shown('sample1.jpg', 0)]);
  });

  it('puts the first own images in place of the samples, later ones behind them', async () => {
    const { sources, log } = desk();
    await sources.showSamples();
    await sources.useFiles([file('a.png'), file('b.png')]);
    await sources.useFiles([file('c.png')]);
    expect(sources.stills.frames.map(({ name }) => name)).toEqual(['a.png', 'b.png', 'c.png']);
    expect(log.slice(2)).toEqual(['source a.png', 'run 0 a.png', 'source c.png', 'run 2 c.png']);
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
    expect(log).toEqual(['source slow.jpg', 'source quick.jpg', 'run 1 quick.jpg']);
  });

  it('hands a dropped model on and leaves the frames as they are', async () => {
    const { sources, log } = desk();
    const models: string[] = [];
    sources.onModelFile = async ({ name }) => models.push(name) > 0;
    await sources.useFiles([file('yolo.onnx')]);
    expect(models).toEqual(['yolo.onnx']);
    expect(log).toEqual([]);
    expect(sources.fault).toBeNull();
  });

  it('hands on what belongs to the model, and models of other kinds too: what they are is said there', async () => {
    const { sources } = desk();
    const models: string[][] = [];
    sources.onModelFile = async ({ name }, beside) => models.push([name, ...beside.map((one) => one.name)]) > 0;
    await sources.useFiles(['yolo.onnx', 'yolo.onnx.data'].map(file));
    await sources.useFiles([file('best.pt')]);
    expect(models).toEqual([['yolo.onnx', 'yolo.onnx.data'], ['best.pt']]);
    expect([sources.note, sources.fault]).toEqual(['', null]);
  });

  it('takes no annotation beside pictures for a model', async () => {
    const { sources } = desk();
    const models: string[] = [];
    sources.onModelFile = async ({ name }) => models.push(name) > 0;
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

  it('opens the configuration that came with a model before the model, which is for it', async () => {
    const { sources } = desk();
    const handed: string[] = [];
    sources.onModelFile = async ({ name }) => handed.push(name) > 0;
    sources.onTextFile = async ({ name }) => {
      await Promise.resolve();
      return handed.push(name) > 0;
    };
    await sources.useFiles(['a.onnx', 'machine.json'].map(file));
    expect(handed).toEqual(['machine.json', 'a.onnx']);
  });

  it('gives labels that came with a model to it, once it runs, or leaves both aside', async () => {
    const { sources } = desk();
    const handed: string[] = [];
    let loaded: (ran: boolean) => void = () => {};
    sources.onModelFile = ({ name }) => {
      handed.push(name);
      return new Promise((resolve) => (loaded = resolve));
    };
    sources.onTextFile = async ({ name }) => handed.push(name) > 0;
    await sources.useFiles(['a.onnx', 'a.txt', 'machine.json'].map(file));
    expect(handed).toEqual(['machine.json', 'a.onnx']);
    loaded(true);
    await expect.poll(() => handed).toEqual(['machine.json', 'a.onnx', 'a.txt']);
    await sources.useFiles(['b.onnx', 'b.names'].map(file));
    loaded(false);
    await expect.poll(() => sources.note).toBe('Left aside with the model: b.names.');
    expect(handed.at(-1)).toBe('b.onnx');
    await sources.useFiles(['c.txt'].map(file));
    expect(handed.at(-1)).toBe('c.txt');
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
    expect([sources.kind, sources.givesFrames]).toEqual(['camera', true]);
    await sources.togglePlay();
    expect(sources.givesFrames).toBe(false);
    expect(log).toEqual(['source Desk camera', 'follow Desk camera', 'camera released', 'stop']);
    expect(sources.camera.open).toBeNull();
  });

  it('releases the webcam when something else is shown', async () => {
    const { sources, log } = desk();
    await sources.startCamera();
    await sources.useFiles([file('a.png')]);
    expect(log.slice(2)).toEqual(['camera released', 'stop', 'source a.png', 'run 0 a.png']);
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

  describe('a webcam that opens late', () => {
    /** Cameras that open when they are told to, by the order in which they were asked for. */
    function lateCameras() {
      const asked: ReturnType<typeof awaited<OpenCamera>>[] = [];
      const released: number[] = [];
      const film = awaited<OpenVideo>();
      const filmAsked = awaited<void>();
      const openCamera = () => asked[asked.push(awaited<OpenCamera>()) - 1]!.promise;
      const made = desk({ openCamera, openVideo: () => (filmAsked.come(), film.promise) });
      const open = (at: number): void =>
        asked[at]!.come({
          ...{ label: `camera ${at}`, widthPx: 1, heightPx: 1, frameRate: 30 },
          ...{ frames: {} as ReadableStream<VideoFrame>, onEnded: () => {}, stop: () => void released.push(at) },
        });
      const openVideo = () => film.come({ ...playedVideo('belt.mp4'), close: () => {} } as unknown as OpenVideo);
      return { ...made, open, openVideo, videoAsked: filmAsked.promise, released };
    }

    it('is let go once something else was chosen', async () => {
      const { sources, log, open, released } = lateCameras();
      const starting = sources.startCamera();
      await sources.useFiles([file('a.png')]);
      expect(sources.camera.opening).toBe(false);
      open(0);
      await starting;
      expect([sources.kind, released]).toEqual(['stills', [0]]);
      expect(log.at(-1)).toBe('run 0 a.png');
    });

    it('is let go where it was asked for again: one light at most is on', async () => {
      const { sources, open, released } = lateCameras();
      const [first, second] = [sources.startCamera(), sources.startCamera()];
      open(1);
      await second;
      expect(sources.title).toBe('camera 1');
      open(0);
      await first;
      expect([sources.title, sources.camera.opening, released]).toEqual(['camera 1', false, [0]]);
      await sources.togglePlay();
      expect([sources.givesFrames, released]).toEqual([false, [0, 1]]);
      const third = sources.togglePlay();
      await sources.togglePlay();
      open(2);
      await third;
      expect([sources.givesFrames, released]).toEqual([false, [0, 1, 2]]);
    });

    it('does not lose against a video that was chosen before, and opens meanwhile', async () => {
      const { sources, open, openVideo, videoAsked } = lateCameras();
      const showing = sources.useFiles([file('belt.mp4')]);
      await videoAsked;
      const starting = sources.startCamera();
      openVideo();
      await showing;
      open(0);
      await starting;
      expect(sources.title).toBe('camera 0');
    });
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
    const played = ['source belt.mp4', 'play', 'stream belt.mp4', 'pause', 'step -1', 'video closed'];
    expect(log).toEqual([...played, 'source sample1.jpg', 'run 0 sample1.jpg']);
  });

  it('leaves on the stage what is there when a video does not open, or the webcam does not start', async () => {
    const refuse = async () => {
      throw new SourceError('unsupported', 'It knows no decoder for it.', 'Convert it.');
    };
    const { sources, log } = desk({ openVideo: refuse, openCamera: refuse });
    await sources.useFiles([file('a.png')]);
    const before = [...log];
    await sources.useFiles([file('belt.avi.mp4')]);
    await sources.startCamera();
    expect([log, sources.title, sources.fault?.cure]).toEqual([before, 'a.png', 'Convert it.']);
  });

  it('lets the video that was asked for last have the stage, in whatever order they open', async () => {
    const openings: (() => void)[] = [];
    const opened = (name: string, log: string[]) =>
      ({ ...playedVideo(name), close: () => void log.push(`closed ${name}`) }) as unknown as OpenVideo;
    const closed: string[] = [];
    const { sources, log } = desk({
      openVideo: (_file, name) => new Promise((resolve) => openings.push(() => resolve(opened(name, closed)))),
    });
    const asked = ['a.mp4', 'b.mp4'].map((name) => sources.useFiles([file(name)]));
    await Promise.resolve();
    while (openings.length < 2) await Promise.resolve();
    openings[1]!();
    await asked[1];
    openings[0]!();
    await asked[0];
    expect([sources.title, closed, log]).toEqual(['b.mp4', ['closed a.mp4'], ['source b.mp4']]);
  });

  it('says of a still that cannot be read that it gives no frame', async () => {
    const gone = still('gone.jpg', () => Promise.reject(new Error('it was moved')));
    const { sources, log } = desk({ samples: [gone] });
    await sources.showSamples();
    expect(log).toEqual(['source gone.jpg', 'failed it was moved']);
    expect(sources.fault?.message).toBe('it was moved');
  });
});
