import { describe, expect, it } from 'vitest';
import { FileIntake, type FileOwners } from './file-intake.svelte.ts';
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
    loadModel: async ({ name }, beside) => log.push([name, ...beside.map((one) => one.name)].join(' + ')) > 0,
    openConfiguration: take,
    takeLabels: async (given) => (await take(given)) ?? 'taken',
    openBench: take,
    ...given,
  });
  const words = () => {
    const { message, cure } = receiptInWords(intake.receipt!);
    return `${message} ${cure}`.trim();
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
        'Left out: 1 file (notes.doc): the name is not that of an image, video, model, configuration, label list or saved bench.',
    );
  });

  it('says what its owners refused, and why', async () => {
    const { words, give } = setUp({
      openConfiguration: async () => 'it holds no machine configuration',
      addPictures: async () => [{ name: 'belt.mp4', message: 'It knows no decoder for it.', cure: 'Convert it.' }],
    });
    await give('a.png', 'belt.mp4', 'instances.json');
    expect(words()).toBe(
      'Taken: 1 image (a.png). Left out: 1 file (instances.json): it holds no machine configuration. ' +
        'Left out: 1 file (belt.mp4): It knows no decoder for it. Convert it.',
    );
  });

  it('leaves labels out with a model that does not run', async () => {
    const { log, words, give } = setUp({ loadModel: async () => false });
    await give('b.onnx', 'b.names');
    expect(log).toEqual([]);
    expect(words()).toMatch(/^Nothing was taken\. Left out: 2 files \(b\.onnx, b\.names\): the model does not run; /);
  });

  it('tells of pictures while the model that came with them loads', async () => {
    let loaded: (runs: boolean) => void = () => {};
    const { intake, words, give } = setUp({ loadModel: () => new Promise((resolve) => (loaded = resolve)) });
    const given = give('a.png', 'b.onnx');
    await expect.poll(() => intake.receipt !== null && words()).toBe('Taken: 1 image (a.png).');
    loaded(true);
    await given;
    expect(words()).toBe('Taken: 1 image (a.png), 1 model (b.onnx).');
  });

  it('does not say that nothing was taken while one of several models loads', async () => {
    let loaded: (runs: boolean) => void = () => {};
    const { intake, words, give } = setUp({ loadModel: () => new Promise((resolve) => (loaded = resolve)) });
    const given = give('a.onnx', 'b.onnx');
    await expect.poll(() => loaded.length).toBe(1);
    expect(intake.receipt).toBeNull();
    loaded(true);
    await given;
    expect(words()).toBe('Taken: 1 model (a.onnx). Left out: 1 file (b.onnx): only one model can be opened at a time.');
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
    const { words, give } = setUp({ openBench: async () => 'This is no saved bench: it has no bench.json.' });
    await give('a.png', 'pictures.zip');
    expect(words()).toBe(
      'Taken: 1 image (a.png). Left out: 1 file (pictures.zip): This is no saved bench: it has no bench.json.',
    );
  });

  it('tells of what was given last', async () => {
    let loaded: (runs: boolean) => void = () => {};
    const { words, give } = setUp({ loadModel: () => new Promise((resolve) => (loaded = resolve)) });
    const first = give('b.onnx');
    await give('a.png');
    loaded(true);
    await first;
    expect(words()).toBe('Taken: 1 image (a.png).');
  });

  it('counts what it does not name, and says what it takes where nothing was', async () => {
    const { words, give } = setUp();
    await give('1.doc', '2.doc', '3.doc', '4.doc');
    expect(words()).toMatch(/^Nothing was taken\. Left out: 4 files \(1\.doc, 2\.doc, 3\.doc and 1 more\).* Use JPEG/);
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
        'Left out: 2 files (belt/c.png, belt/d.png): it cannot be read: Permission was denied.',
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
