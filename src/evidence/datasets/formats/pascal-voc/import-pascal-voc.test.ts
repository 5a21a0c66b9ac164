import { describe, expect, it } from 'vitest';
import { folderOfFiles, gathered, pngHeader } from '../../../../../tests/dataset-fixture.ts';
import { DatasetReport } from '../../item/dataset-report.ts';
import { importDataset } from '../../import-dataset.ts';

const size = '<size><width>200</width><height>100</height></size>';

const bndbox = (xmin: unknown, ymin: unknown, xmax: unknown, ymax: unknown) =>
  `<bndbox><xmin>${xmin}</xmin><ymin>${ymin}</ymin><xmax>${xmax}</xmax><ymax>${ymax}</ymax></bndbox>`;

const annotation = (inside: string) => `<annotation><filename>a.png</filename>${inside}</annotation>`;

const object = (inside: string) => `<object>${inside}</object>`;

async function importVoc(files: Readonly<Record<string, string | Uint8Array | null>>) {
  const report = new DatasetReport();
  return { items: await gathered(importDataset(folderOfFiles(files), { report, format: 'pascal-voc' })), report };
}

describe('importing Pascal VOC', () => {
  it('reads elements by name in any order, parts of an object aside', async () => {
    const { items, report } = await importVoc({
      'Annotations/a.xml': `<?xml version="1.0" encoding="utf-8"?>\r\n<annotation verified="yes">
        <object>
          <part><name>head</name>${bndbox(1, 1, 2, 2)}</part>
          <bndbox><ymax>60</ymax><xmax>100</xmax><ymin>11</ymin><xmin>21</xmin></bndbox>
          <name>
            traffic light
          </name>
        </object>
        <size><depth>3</depth><height>100</height><width>200</width></size>
        <filename>a.png</filename>
      </annotation>`,
      'JPEGImages/a.png': null,
    });
    expect(items).toMatchObject([
      {
        sizePx: { widthPx: 200, heightPx: 100 },
        boxes: [
          {
            label: 'traffic light',
            xMinNormalized: 0.1,
            yMinNormalized: 0.1,
            xMaxNormalized: 0.5,
            yMaxNormalized: 0.6,
          },
        ],
      },
    ]);
    expect(report.problems).toEqual([]);
  });

  it('reads a missing size from the picture', async () => {
    const { items } = await importVoc({
      'a.xml': annotation(object(`<name>dog</name>${bndbox(51, 26, 100, 50)}`)),
      'a.png': null,
    });
    expect(items).toMatchObject([
      { sizePx: { widthPx: 100, heightPx: 50 }, boxes: [{ xMinNormalized: 0.5, xMaxNormalized: 1 }] },
    ]);
  });

  it.each([
    [`<name>dog</name>${bndbox(0, 0, 200, 100)}`, 1, null],
    [`<name>dog</name>${bndbox(1.5, 1, 20.5, 10)}`, 1, null],
    [
      `<name>dog</name>${bndbox(1, 1, 220, 100)}`,
      1,
      'The box “dog” reached over the edge (0, 0, 1.1, 1, of 0 to 1); cut there.',
    ],
    [
      `<name>dog</name>${bndbox(101, 1, 20, 10)}`,
      1,
      'The box “dog” had its corners in the wrong order (0.5, 0, 0.1, 0.1); swapped.',
    ],
    [`<name>dog</name>${bndbox('', 1, 20, 10)}`, 0, 'The box “dog” has no number as x min, but “”.'],
    [`<name>dog</name>${bndbox('ten', 1, 20, 10)}`, 0, 'The box “dog” has no number as x min, but “ten”.'],
    ['<name>dog</name><polygon/>', 0, 'The object “dog” has no <bndbox>.'],
    [bndbox(1, 1, 2, 2), 0, 'The box has no label, but “”.'],
  ])('imports or reports %s', async (inside, boxCount, message) => {
    const { items, report } = await importVoc({ 'a.xml': annotation(size + object(inside)), 'a.png': null });
    expect(items[0]!.boxes).toHaveLength(boxCount);
    expect(report.problems.map((problem) => problem.message)).toEqual(message === null ? [] : [message]);
  });

  it.each([
    ['the name in the file', { 'x.xml': annotation(''), 'a.png': null }, 'a.png'],
    [
      'its own name, where the other is of another machine',
      { 'x.xml': '<annotation><filename>frame</filename></annotation>', 'X.JPG': null },
      'X.JPG',
    ],
    [
      'the picture beside it, of two',
      { 'p/Annotations/a.xml': annotation(''), 'p/JPEGImages/a.png': null, 'q/JPEGImages/a.png': null },
      'p/JPEGImages/a.png',
    ],
  ])('finds a picture by %s', async (_, files, path) => {
    expect((await importVoc(files)).items).toMatchObject([{ content: { path } }]);
  });

  it('gives every annotation a picture of its own where all files say the same name', async () => {
    const files = {
      'a.xml': annotation(''),
      'b.xml': annotation(''),
      'c.xml': annotation(''),
      'a.png': null,
      'b.png': null,
    };
    const { items, report } = await importVoc(files);
    expect(items.map(({ fileName }) => fileName)).toEqual(['a.png', 'b.png']);
    expect(report.problems).toMatchObject([{ file: 'c.xml', message: 'a.png has been imported already, from a.xml.' }]);
  });

  it('turns boxes of the stored picture with a picture that is shown turned, and no others', async () => {
    const voc = (stated: string) => `${stated}${object(`<name>dog</name>${bndbox(1, 1, 50, 10)}`)}`;
    const sizeOf = (width: number, height: number) => `<size><width>${width}</width><height>${height}</height></size>`;
    const { items, report } = await importVoc({
      'a.xml': annotation(voc(sizeOf(100, 50))),
      'b.xml': annotation(voc(sizeOf(50, 100))),
      'a.png': pngHeader(100, 50, 6),
      'b.png': pngHeader(100, 50, 6),
    });
    const corners = items.map(({ sizePx, boxes: [found] }) => [sizePx, found!.xMinNormalized, found!.yMaxNormalized]);
    expect(corners).toEqual([
      [{ widthPx: 50, heightPx: 100 }, 0.8, 0.5],
      [{ widthPx: 50, heightPx: 100 }, 0, 0.1],
    ]);
    expect(report.problems.map(({ file, message }) => [file, message])).toEqual([
      [
        'a.xml',
        expect.stringMatching(/^The boxes of “a\.png” belong to the picture as it is stored; turned .* 50×100/),
      ],
    ]);
  });

  it('reads splits of ImageSets, not the lists of one class', async () => {
    const { items } = await importVoc({
      'Annotations/a.xml': annotation(''),
      'JPEGImages/a.png': null,
      'ImageSets/Main/val.txt': 'a\r\n',
      'ImageSets/Main/trainval.txt': 'a\n',
      'ImageSets/Main/dog_train.txt': 'a  1\n',
    });
    expect(items).toMatchObject([{ split: 'val' }]);
  });

  it('reads windows-1252 and refuses other old encodings in words', async () => {
    const latin1 = Uint8Array.from([...`<?xml version="1.0" encoding="ISO-8859-1"?>${annotation(size + object(`<name>t\xfcr</name>${bndbox(1, 1, 2, 2)}`))}`].map((letter) => letter.charCodeAt(0))); // prettier-ignore
    const gbk = Uint8Array.from([...`<?xml version="1.0" encoding="GBK"?>${annotation(object('<name>\xc3\xa8\xff</name>'))}`].map((letter) => letter.charCodeAt(0))); // prettier-ignore
    const { items, report } = await importVoc({ 'a.xml': latin1, 'b.xml': gbk, 'a.png': null, 'b.png': null });
    expect(items).toMatchObject([{ boxes: [{ label: 'tür' }] }]);
    expect(report.problems.filter(({ severity }) => severity === 'error')).toMatchObject([
      { file: 'b.xml', message: 'The file cannot be read: it is written in GBK; save it as UTF-8.' },
    ]);
  });

  it('names the line of an ampersand that was not escaped', async () => {
    const broken = annotation(`\n${object(`<name>salt & pepper</name>${bndbox(1, 1, 2, 2)}`)}`);
    const { report } = await importVoc({ 'b.xml': broken, 'a.xml': annotation(''), 'a.png': null });
    expect(report.problems).toMatchObject([
      { file: 'b.xml', line: 2, message: 'The file cannot be read: a “&” in a text has to be written as &amp;.' },
    ]);
  });

  it.each([
    ['the sizes of both', '<size><width>200</width><height>100</height></size>', 200],
    ['no width', '<size><width>0</width><height>100</height></size>', 100],
    ['no height', '<size><width>200</width><height></height></size>', 100],
  ])('takes %s', async (_, said, widthPx) => {
    const { items } = await importVoc({ 'a.xml': annotation(said), 'a.png': null });
    expect(items).toMatchObject([{ sizePx: { widthPx } }]);
  });

  it('leaves out the boxes of a picture whose size nothing tells, and says so', async () => {
    const none = { 'a.xml': annotation(object(`<name>dog</name>${bndbox(1, 1, 2, 2)}`)), 'a.png': 'no picture' };
    const { items, report } = await importVoc(none);
    expect(items).toMatchObject([{ sizePx: null, boxes: [] }]);
    const message = 'It has no <size>, and a.png does not tell it; its boxes are left out.';
    expect(report.problems).toEqual([{ severity: 'error', file: 'a.xml', line: null, message }]);
    const empty = await importVoc({ 'a.xml': annotation(''), 'a.png': 'no picture' });
    expect(empty.report.problems).toEqual([]);
  });

  it.each([
    ['a document of another kind', '<note/>', 'The file cannot be read: its root is <note>, not <annotation>.'],
    ['a name that is no picture', '<annotation><filename>b.txt</filename></annotation>', '“b.txt” is not a picture.'],
    ['a name that no file has', '<annotation><filename>c.png</filename></annotation>', 'There is no file “c.png”.'],
    ['no name', '<annotation/>', 'It has no <filename>, and no picture has its own name.'],
    ['no picture of its own among two', '<annotation><filename>z/d.png</filename></annotation>', '“z/d.png” may be p/d.png or q/d.png: keep one, or write the folder before the name.'],
  ])('says what is wrong with %s', async (_, xml, message) => {
    const files = { 'a.xml': annotation(''), 'a.png': null, 'b.txt': '', 'p/d.png': null, 'q/d.png': null };
    const { report } = await importVoc({ ...files, 'b.xml': xml });
    expect(report.problems.filter(({ severity }) => severity === 'error')).toMatchObject([{ file: 'b.xml', message }]);
  }); // prettier-ignore

  it('takes neither of two pictures of its own name that are both far away', async () => {
    const { report } = await importVoc({
      'a.xml': annotation(''),
      'a.png': null,
      'x/Annotations/d.xml': '<annotation/>',
      'p/q/d.png': null,
      'r/s/d.png': null,
    });
    expect(report.problems[0]).toMatchObject({ file: 'x/Annotations/d.xml', severity: 'error' });
  });

  it('counts what a box has no place for, the name of the dataset, and its pictures', async () => {
    const parts = '<polygon/><robndbox/><attributes/>';
    const { report, items } = await importVoc({
      'a.xml': annotation(
        `<source><database>R&amp;D</database></source>${size}${object(`<name>a</name>${parts}${bndbox(1, 1, 2, 2)}`)}`,
      ),
      'b.xml': '<annotation><source><database>Later</database></source><filename>b.png</filename></annotation>',
      'a.png': null,
      'b.png': null,
    });
    expect(report.lost).toEqual(['polygons', 'turned', 'attributes'].map((kind) => ({ kind, count: 1 })));
    expect([report.datasetName, report.expectedImages, items.length]).toEqual(['R&D', 2, 2]);
  });

  it('has no name where none says one', async () => {
    expect((await importVoc({ 'a.xml': annotation(''), 'a.png': null })).report.datasetName).toBeNull();
  });

  it('keeps spaces of a name that are no layout', async () => {
    const { items } = await importVoc({
      'a.xml': annotation(size + object(`<name> pad </name>${bndbox(1, 1, 2, 2)}`)),
      'a.png': null,
    });
    expect(items).toMatchObject([{ boxes: [{ label: ' pad ' }] }]);
  });

  it.each([
    [32, 0],
    [33, 1],
  ])('reads elements that are %i deep with %i errors', async (deep, errors) => {
    const nested = `${'<a>'.repeat(deep - 1)}${'</a>'.repeat(deep - 1)}`;
    const { report } = await importVoc({
      'a.xml': annotation(nested),
      'b.xml': annotation(''),
      'a.png': null,
      'b.png': null,
    });
    expect(report.errorCount).toBe(errors);
    if (errors > 0) expect(report.problems[0]!.message).toContain('nested more than 32 deep');
  });

  it.each(['utf-8', 'UTF8', 'UTF-16', 'us-ascii', 'windows-1252', 'ISO-8859-1', 'latin1', 'Latin-1'])(
    'takes a file that says it is %s',
    async (encoding) => {
      const xml = `<?xml version='1.0' encoding = '${encoding}'?>${annotation('')}`;
      expect((await importVoc({ 'a.xml': xml, 'a.png': null })).report.problems).toEqual([]);
    },
  );

  it('expands no entities of its own', async () => {
    const bomb = `<!DOCTYPE annotation [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>${annotation(object('<name>&b;</name>'))}`;
    const { report } = await importVoc({ 'b.xml': bomb, 'a.xml': annotation(''), 'a.png': null });
    expect(report.problems).toMatchObject([
      { file: 'b.xml', message: expect.stringMatching(/undefined entity/) as string },
    ]);
  });
});
