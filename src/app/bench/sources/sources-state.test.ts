import { describe, expect, it } from 'vitest';
import { SourceError, type OpenCamera, type OpenVideo, type StillFrame } from '../../../platform/ports/frame-source.ts';
import type { FrameInfo } from '../../../machine/vision/frame/frame-info.ts';
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

/** Gives pictures (.png) and videos (.mp4) that came together. */
const give = (sources: SourcesState, ...names: readonly string[]) =>
  sources.add(
    names.filter((name) => name.endsWith('.png')).map((name) => still(name)),
    names.filter((name) => name.endsWith('.mp4')).map((name) => ({ file: file(name), name })),
  );

/** What a bench begins with that has nothing of its own. */
const nothing: FirstSources = { stills: [], videos: [], isShown: () => false, sample: '', video: null, live: null };

/** Ports that hand out what a test gives them, and a session that notes what it is asked. */
function setUp(
  given: Partial<{
    openCamera: () => Promise<OpenCamera>;
    openVideo: SourcePorts['video']['open'];
    samples: StillFrame[];
    things: () => Promise<StillFrame[]>;
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

  const ports: SourcePorts = {
    camera: { devices: async () => [], open: given.openCamera ?? (async () => camera) },
    video: { open: given.openVideo ?? (async () => video) },
    stills: {
      builtin: async (kind) => {
        if (kind === 'things') return given.things?.() ?? [still('cup.jpg'), still('dog.jpg')];
        return given.samples ?? [still('sample1.jpg'), still('sample2.jpg')];
      },
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
    const { sources, log } = setUp();
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

  it('shows samples of another kind from their first, and comes back to those that were there last', async () => {
    const { sources } = setUp();
    await sources.showSamples();
    await sources.selectStill(1);
    await sources.showSamples('things');
    expect([sources.sampleKind, sources.title]).toEqual(['things', 'cup.jpg']);
    await sources.selectStill(1);
    await give(sources, 'own.png');
    await sources.showSamples();
    expect([sources.sampleKind, sources.title]).toEqual(['things', 'dog.jpg']);
    await sources.removeStill(0);
    expect([sources.showsSamples, sources.title]).toEqual([true, 'dog.jpg']);
  });

  it('shows the samples that were asked for last, whichever come first', async () => {
    const { promise, come } = awaited<StillFrame[]>();
    const { sources, log } = setUp({ things: () => promise });
    const things = sources.showSamples('things');
    await sources.showSamples('faces');
    come([still('cup.jpg')]);
    await things;
    expect([sources.sampleKind, sources.title]).toEqual(['faces', 'sample1.jpg']);
    expect(log).toEqual(['source sample1.jpg', 'run 0 sample1.jpg']);
  });

  it('keeps the samples that are there where the others cannot be had', async () => {
    const { sources } = setUp({
      things: () => Promise.reject(new SourceError('network', 'Out of reach.', 'Try again.')),
    });
    await sources.showSamples();
    await sources.showSamples('things');
    expect([sources.sampleKind, sources.title, sources.fault?.message]).toEqual([
      'faces',
      'sample1.jpg',
      'Out of reach.',
    ]);
  });

  it('begins with the sample that was on the stage, of whichever kind', async () => {
    for (const [sample, kind] of [
      ['sample2.jpg', 'faces'],
      ['dog.jpg', 'things'],
      ['gone.jpg', 'faces'],
    ] as const) {
      const { sources } = setUp();
      await sources.begin(async () => ({ ...nothing, sample }));
      expect([sources.sampleKind, sources.title]).toEqual([kind, sample === 'gone.jpg' ? 'sample1.jpg' : sample]);
    }
  });

  it('shows the first sample without a click', async () => {
    const { sources, log } = setUp();
    await sources.showSamples();
    expect(log).toEqual(['source sample1.jpg', 'run 0 sample1.jpg']);
    expect(sources.showsSamples).toBe(true);
  });

  it('begins with what there was, and puts what is given meanwhile behind it', async () => {
    const { sources, log } = setUp();
    let find: (first: FirstSources) => void = () => {};
    const begun = sources.begin(() => new Promise((resolve) => (find = resolve)));
    const given = give(sources, 'c.png');
    find({ ...nothing, stills: [still('a.png'), still('b.png')], isShown: ({ name }) => name === 'b.png' });
    await Promise.all([begun, given]);
    expect(sources.stills.frames.map(({ name }) => name)).toEqual(['a.png', 'b.png', 'c.png']);
    expect([log.at(-1), sources.title]).toEqual(['run 2 c.png', 'c.png']);
  });

  it('begins with a video where it stood, before any of its frames is heard of', async () => {
    const { sources, log } = setUp();
    const video = { file: file('belt.mp4'), name: 'belt.mp4', place: { positionMs: 700, playing: false, loop: true } };
    await sources.begin(async () => ({
      ...nothing,
      stills: [still('a.png')],
      isShown: () => true,
      videos: [video],
      video,
    }));
    expect([log, sources.title]).toEqual([['seek 700', 'source belt.mp4'], 'belt.mp4']);
    expect(sources.stills.frames.map(({ name }) => name)).toEqual(['a.png']);
  });

  it('begins with the pictures where the video does not open, and says so', async () => {
    const refuse = () => Promise.reject(new SourceError('unsupported', 'It knows no decoder for it.', 'Convert it.'));
    const { sources, log } = setUp({ openVideo: refuse });
    const video = { file: file('belt.mp4'), name: 'belt.mp4', place: { positionMs: 0, playing: true, loop: false } };
    await sources.begin(async () => ({
      ...nothing,
      stills: [still('a.png')],
      isShown: () => true,
      videos: [video],
      video,
    }));
    expect([log, sources.fault?.cure]).toEqual([['source a.png', 'run 0 a.png'], 'Convert it.']);
  });

  it('takes a picture out of the strip; after the last one the samples are back', async () => {
    const { sources, log } = setUp();
    await give(sources, 'a.png', 'b.png', 'c.png');
    await sources.selectStill(1);
    log.length = 0;
    await sources.removeStill(1);
    await sources.removeStill(0);
    expect([log, sources.title]).toEqual([['source c.png', 'run 1 c.png'], 'c.png']);
    await sources.removeStill(0);
    expect([sources.title, sources.showsSamples]).toEqual(['sample1.jpg', true]);
  });

  it('shows the picture before the last one when that is removed', async () => {
    const { sources } = setUp();
    await give(sources, 'a.png', 'b.png');
    await sources.selectStill(1);
    await sources.removeStill(1);
    expect([sources.title, sources.stills.index]).toEqual(['a.png', 0]);
  });

  it('keeps one’s own pictures and videos behind the samples, and has a way back to each where it stood', async () => {
    const { sources, log } = setUp();
    await sources.showSamples();
    await give(sources, 'a.png', 'b.png', 'belt.mp4');
    expect([sources.kind, sources.title, sources.stills.own.length]).toEqual(['video', 'belt.mp4', 2]);
    await sources.showOwn();
    await sources.selectStill(1);
    await sources.showSamples();
    await sources.move(1);
    expect([sources.title, sources.showsSamples, sources.stills.own.length]).toEqual(['sample2.jpg', true, 2]);
    await sources.showOwn();
    expect([sources.title, sources.showsSamples]).toEqual(['b.png', false]);
    await sources.showSamples();
    expect(sources.title).toBe('sample2.jpg');
    await sources.startCamera();
    await sources.showVideo(sources.video.kept[0]!);
    expect([sources.kind, sources.title, sources.liveBefore]).toEqual(['video', 'belt.mp4', ['camera']]);
    await sources.removeVideo(sources.video.kept[0]!.file);
    expect([sources.kind, sources.title, sources.video.kept]).toEqual(['stills', 'sample2.jpg', []]);
    await sources.removeOwn();
    expect([log.at(-1), sources.stills.own]).toEqual(['run 1 sample2.jpg', []]);
  });

  it('begins with the samples before one’s own pictures, and with what was live for a person to start', async () => {
    const { sources } = setUp();
    const stills = ['a.png', 'b.png'].map((name) => still(name));
    const isShown = ({ name }: StillFrame) => name === 'b.png';
    await sources.begin(async () => ({ ...nothing, stills, isShown, sample: 'sample2.jpg', live: 'machine' }));
    expect([sources.title, sources.liveBefore]).toEqual(['sample2.jpg', ['machine']]);
    await sources.showOwn();
    expect(sources.title).toBe('b.png');
  });

  it('shows a picture that has a name of its own once, and keeps the others', async () => {
    const { sources } = setUp();
    await give(sources, 'a.png');
    await sources.showStills(['kept1.png', 'kept2.png'].map((name) => still(name)));
    await sources.showStills([still('kept2.png')]);
    expect(sources.stills.own.map(({ name }) => name)).toEqual(['a.png', 'kept1.png', 'kept2.png']);
    expect(sources.title).toBe('kept2.png');
  });

  it('keeps every video of a drop, with where it was left, and shows the first that opens', async () => {
    const seeks: string[] = [];
    const { sources } = setUp({
      openVideo: async (_file, name) => {
        if (name === 'a.mp4') throw new SourceError('unsupported', 'It knows no decoder for it.', 'Convert it.');
        const seek = async (positionMs: number) => void seeks.push(`${name} ${positionMs}`);
        return { ...playedVideo(name), positionMs: 700, seek, close() {} } as unknown as OpenVideo;
      },
    });
    const refused = await give(sources, 'a.mp4', 'b.mp4', 'c.mp4');
    expect([refused.map(({ name }) => name), sources.title]).toEqual([['a.mp4'], 'b.mp4']);
    const [b, c] = sources.video.kept;
    await sources.showVideo(c!);
    expect([sources.title, b!.name]).toEqual(['c.mp4', 'b.mp4']);
    await sources.showVideo(sources.video.kept[0]!);
    expect([sources.title, seeks]).toEqual(['b.mp4', ['b.mp4 700']]);
    await sources.removeVideo(c!.file);
    expect([sources.title, sources.video.kept.map(({ name }) => name)]).toEqual(['b.mp4', ['b.mp4']]);
  });

  it('steps through stills and stays at the ends', async () => {
    const { sources, log } = setUp();
    await sources.showSamples();
    await sources.move(1);
    await sources.move(1);
    await sources.move(-5);
    const shown = (name: string, index: number) => [`source ${name}`, `run ${index} ${name}`];
    expect(log).toEqual([...shown('sample1.jpg', 0), ...shown('sample2.jpg', 1), ...shown('sample1.jpg', 0)]);
  });

  it('puts the first own images in place of the samples, later ones behind them', async () => {
    const { sources, log } = setUp();
    await sources.showSamples();
    await give(sources, 'a.png', 'b.png');
    await give(sources, 'c.png');
    expect(sources.stills.frames.map(({ name }) => name)).toEqual(['a.png', 'b.png', 'c.png']);
    expect(log.slice(2)).toEqual(['source a.png', 'run 0 a.png', 'source c.png', 'run 2 c.png']);
  });

  it('shows a still that was chosen before once more, after another kind of source', async () => {
    const { sources, log } = setUp();
    await sources.showSamples();
    await sources.startCamera();
    log.length = 0;
    await sources.selectStill(0);
    expect([sources.kind, log.at(-1)]).toEqual(['stills', 'run 0 sample1.jpg']);
    log.length = 0;
    await sources.selectStill(0);
    expect(log).toEqual([]);
  });

  it('does not show a still that a later choice overtook', async () => {
    let arrive: (blob: Blob) => void = () => {};
    let opened: () => void = () => {};
    const opening = new Promise<void>((resolve) => (opened = resolve));
    const slow = still('slow.jpg', () => {
      opened();
      return new Promise((resolve) => (arrive = resolve));
    });
    const { sources, log } = setUp({ samples: [slow, still('quick.jpg')] });
    const first = sources.showSamples();
    await opening;
    await sources.selectStill(1);
    arrive(new Blob());
    await first;
    expect(log).toEqual(['source slow.jpg', 'source quick.jpg', 'run 1 quick.jpg']);
  });

  it('follows the webcam from a click to a click', async () => {
    const { sources, log } = setUp();
    await sources.startCamera();
    expect(sources.title).toBe('Desk camera');
    expect([sources.kind, sources.givesFrames]).toEqual(['camera', true]);
    await sources.togglePlay();
    expect(sources.givesFrames).toBe(false);
    expect(log).toEqual(['source Desk camera', 'follow Desk camera', 'camera released', 'stop']);
    expect(sources.camera.open).toBeNull();
  });

  it('releases the webcam when something else is shown', async () => {
    const { sources, log } = setUp();
    await sources.startCamera();
    await give(sources, 'a.png');
    expect(log.slice(2)).toEqual(['camera released', 'stop', 'source a.png', 'run 0 a.png']);
  });

  it('says in words why the webcam does not start, and the cure', async () => {
    const { sources } = setUp({
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
      const made = setUp({ openCamera, openVideo: () => (filmAsked.come(), film.promise) });
      const open = (at: number): void =>
        asked[at]!.come({
          label: `camera ${at}`,
          widthPx: 1,
          heightPx: 1,
          frameRate: 30,
          frames: {} as ReadableStream<VideoFrame>,
          onEnded: () => {},
          stop: () => void released.push(at),
        });
      const openVideo = () => film.come({ ...playedVideo('belt.mp4'), close: () => {} } as unknown as OpenVideo);
      return { ...made, open, openVideo, videoAsked: filmAsked.promise, released };
    }

    it('is let go once something else was chosen', async () => {
      const { sources, log, open, released } = lateCameras();
      const starting = sources.startCamera();
      await give(sources, 'a.png');
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
      const showing = give(sources, 'belt.mp4');
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
    const { sources, unplug } = setUp();
    await sources.startCamera();
    unplug();
    expect(sources.fault?.message).toBe('The camera was disconnected.');
    sources.dismissFault();
    expect(sources.fault).toBeNull();
    expect(sources.camera.open).toBeNull();
  });

  it('plays a video and steps through it', async () => {
    const { sources, log, showFrame } = setUp();
    await give(sources, 'belt.mp4');
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
    const { sources, log } = setUp({ openVideo: refuse, openCamera: refuse });
    await give(sources, 'a.png');
    const before = [...log];
    const refused = await give(sources, 'belt.avi.mp4');
    expect(refused).toEqual([{ name: 'belt.avi.mp4', message: 'It knows no decoder for it.', cure: 'Convert it.' }]);
    expect([sources.fault, sources.video.kept]).toEqual([null, []]);
    await sources.startCamera();
    expect([log, sources.title, sources.fault?.cure]).toEqual([before, 'a.png', 'Convert it.']);
  });

  it('lets the video that was asked for last have the stage, in whatever order they open', async () => {
    const openings: (() => void)[] = [];
    const opened = (name: string, log: string[]) =>
      ({ ...playedVideo(name), close: () => void log.push(`closed ${name}`) }) as unknown as OpenVideo;
    const closed: string[] = [];
    const { sources, log } = setUp({
      openVideo: (_file, name) => new Promise((resolve) => openings.push(() => resolve(opened(name, closed)))),
    });
    const asked = ['a.mp4', 'b.mp4'].map((name) => give(sources, name));
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
    const { sources, log } = setUp({ samples: [gone] });
    await sources.showSamples();
    expect(log).toEqual(['source gone.jpg', 'failed it was moved']);
    expect(sources.fault?.message).toBe('it was moved');
  });
});
