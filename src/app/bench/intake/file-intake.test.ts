import { describe, expect, it } from 'vitest';
import { FileIntake } from './file-intake.svelte.ts';
import type { FileOwners } from './file-owners.ts';
import { receiptInWords } from './receipt-words.ts';

const file = (name: string): File => new File([name], name);

/** An intake whose owners take everything and note it, but for what a test gives. */
function setUp(given: Partial<FileOwners> = {}) {
  const log: string[] = [];
  const take = async ({ name }: File) => {
    await Promise.resolve();
    log.push(name);
    return null;
  };
  const intake = new FileIntake({
    droppedFiles: () => Promise.resolve({ files: [], unread: [] }),
    addPictures: async (stills, videos) => {
      log.push(...[...stills, ...videos].map(({ name }) => name));
      return [];
    },
    whyNoPicture: async () => null,
    loadModel: async ({ name }, beside) => {
      log.push([name, ...beside.map((one) => one.name)].join(' + '));
      return null;
    },
    openConfiguration: take,
    takeLabels: async (given) => (await take(given)) ?? 'taken',
    openBench: take,
    ...given,
  });
  const words = () => {
    const { message, lines, cure } = receiptInWords(intake.receipt!);
    return [message, ...lines, cure].join(' ').trim();
  };
  return { intake, log, words, give: (...names: string[]) => intake.takeFiles(names.map(file)) };
}

describe('FileIntake', () => {
  it('hands each file to its owner, the configuration first, and says what was taken and what not', async () => {
    const { log, words, give } = setUp();
    await give('b.png', 'a.png', 'belt.mp4', 'net.onnx', 'net.onnx.data', 'net.txt', 'machine.json', 'notes.doc');
    expect(log).toEqual([
      'machine.json',
      'a.png',
      'b.png',
      'belt.mp4',
      'net.onnx + net.onnx.data',
      'net.txt', // after the model: until that runs they would name the classes of the one before
    ]);
    expect(words()).toBe(
      'Taken: 1 configuration (machine.json), 2 images (a.png, b.png), 1 video (belt.mp4), 1 model (net.onnx), ' +
        '1 data file (net.onnx.data), 1 label list (net.txt). ' +
        'Left out: 1 file. notes.doc: the name is not that of an image, video, model, configuration, label list or saved bench.',
    );
  });

  it('says what its owners refused, and why', async () => {
    const { words, give } = setUp({
      openConfiguration: async () => 'it contains no machine configuration',
      addPictures: async () => [{ name: 'belt.mp4', message: 'It knows no decoder for it.', cure: 'Convert it.' }],
    });
    await give('a.png', 'belt.mp4', 'instances.json');
    expect(words()).toBe(
      'Taken: 1 image (a.png). Left out: 2 files. instances.json: it contains no machine configuration. ' +
        'belt.mp4: It knows no decoder for it. Convert it.',
    );
  });

  it('leaves labels out with a model that does not run', async () => {
    const { log, words, give } = setUp({ loadModel: async () => 'It is damaged.' });
    await give('b.onnx', 'b.names');
    expect(log).toEqual([]);
    expect(words()).toBe('Nothing was taken. b.onnx, b.names: the model does not run; the Model panel says why.');
  });

  it('tells of pictures while the model that came with them loads', async () => {
    let loaded: (why: null) => void = () => {};
    const { intake, words, give } = setUp({ loadModel: () => new Promise((resolve) => (loaded = resolve)) });
    const given = give('a.png', 'b.onnx');
    await expect.poll(() => intake.receipt !== null && words()).toBe('Taken: 1 image (a.png).');
    loaded(null);
    await given;
    expect(words()).toBe('Taken: 1 image (a.png), 1 model (b.onnx).');
  });

  it('does not say that nothing was taken while one of several models loads', async () => {
    let loaded: (why: null) => void = () => {};
    const { intake, words, give } = setUp({ loadModel: () => new Promise((resolve) => (loaded = resolve)) });
    const given = give('a.onnx', 'b.onnx');
    await expect.poll(() => loaded.length).toBe(1);
    expect(intake.receipt).toBeNull();
    loaded(null);
    await given;
    expect(words()).toBe('Taken: 1 model (a.onnx). Left out: 1 file. b.onnx: only one model can be opened at a time.');
  });

  it('takes the first model that runs, and says why those before it do not', async () => {
    const tried: string[] = [];
    const { words, give } = setUp({
      loadModel: async ({ name }) => {
        tried.push(name);
        return name.startsWith('random') ? 'It ends in its graph.' : null;
      },
    });
    await give('random.onnx', 'yolox.onnx', 'zoo.tflite', 'random2.onnx');
    expect(tried).toEqual(['random.onnx', 'random2.onnx', 'yolox.onnx']);
    expect(words()).toBe(
      'Taken: 1 model (yolox.onnx). Left out: 3 files. random.onnx: it does not open: It ends in its graph. ' +
        'random2.onnx: it does not open: It ends in its graph. ' +
        'zoo.tflite: only one model can be opened at a time.',
    );
  });

  it('tries no other model after one that was given up', async () => {
    const tried: string[] = [];
    const { words, give } = setUp({
      loadModel: async ({ name }) => {
        tried.push(name);
        return '';
      },
    });
    await give('a.onnx', 'b.onnx');
    expect(tried).toEqual(['a.onnx']);
    expect(words()).toMatch(/^Nothing was taken\. .*a\.onnx.*does not run.*b\.onnx.*only one model/);
  });

  it('takes no file for an image that is called one and is none', async () => {
    const { log, words, give } = setUp({
      whyNoPicture: async (blob) => ((await blob.text()).startsWith('no') ? 'These bytes are no picture.' : null),
    });
    await give('a.png', 'nopicture.png', 'nothing.jpg');
    expect(log).toEqual(['a.png']);
    expect(words()).toBe(
      'Taken: 1 image (a.png). Left out: 2 files. nopicture.png, nothing.jpg: These bytes are no picture.',
    );
    await give('nopicture.png');
    expect(words()).toBe('Nothing was taken. nopicture.png: These bytes are no picture.');
    expect(log).toEqual(['a.png']);
  });

  it('says nothing of a label list that the person is asked about, but of what came with it', async () => {
    const { intake, words, give } = setUp({ takeLabels: async () => 'asked' });
    await give('net.names');
    expect(intake.receipt).toBeNull();
    await give('a.png', 'net.names');
    expect(words()).toBe('Taken: 1 image (a.png).');
  });

  it('says of a label list whether a model came with it', async () => {
    const withModel: boolean[] = [];
    const { give } = setUp({ takeLabels: async (_, came) => (withModel.push(came), 'taken') });
    await give('net.names');
    await give('net.onnx', 'net.names');
    expect(withModel).toEqual([false, true]);
  });

  it('says why a zip file is no saved bench', async () => {
    const { words, give } = setUp({ openBench: async () => 'This is not a saved bench: it has no bench.json.' });
    await give('a.png', 'pictures.zip');
    expect(words()).toBe(
      'Taken: 1 image (a.png). Left out: 1 file. pictures.zip: This is not a saved bench: it has no bench.json.',
    );
  });

  it('tells of what was given last', async () => {
    let loaded: (why: null) => void = () => {};
    const { words, give } = setUp({ loadModel: () => new Promise((resolve) => (loaded = resolve)) });
    const first = give('b.onnx');
    await give('a.png');
    loaded(null);
    await first;
    expect(words()).toBe('Taken: 1 image (a.png).');
  });

  it('counts what it does not name, and says what it takes where nothing was', async () => {
    const { words, give } = setUp();
    await give('1.doc', '2.doc', '3.doc', '4.doc');
    expect(words()).toMatch(/^Nothing was taken\. 1\.doc, 2\.doc, 3\.doc and 1 more: .* Use JPEG/);
  });

  it('takes the other files of a drop in which some cannot be read, and names those', async () => {
    const why = 'Permission was denied.';
    const files = ['belt/a.png', 'belt/b.png'].map((path) => ({ file: file(path), path }));
    const unread = ['belt/c.png', 'belt/d.png'].map((path) => ({ path, why }));
    const { intake, log, words } = setUp({ droppedFiles: () => Promise.resolve({ files, unread }) });
    await intake.takeTransfer({} as DataTransfer);
    expect(log).toEqual(['belt/a.png', 'belt/b.png']);
    expect(words()).toBe(
      'Taken: 2 images (belt/a.png, belt/b.png). ' +
        'Left out: 2 files. belt/c.png, belt/d.png: it cannot be read: Permission was denied.',
    );
  });

  it('says that an empty folder holds nothing, and what cannot be read', async () => {
    const { intake, words } = setUp();
    await intake.takeTransfer({} as DataTransfer);
    expect(words()).toBe('Nothing was taken: it held no file.');
    intake.dismiss();
    expect(intake.receipt).toBeNull();
    const refused = setUp({ droppedFiles: () => Promise.reject(new Error('NotReadable')) });
    await refused.intake.takeTransfer({} as DataTransfer);
    expect(refused.words()).toContain('it cannot be read: NotReadable');
  });
});
