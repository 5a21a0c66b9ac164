import { describe, expect, it } from 'vitest';
import { readPictures } from '../../../../../tests/read-pictures.ts';
import { folderOfFiles } from '../../../../../tests/dataset-fixture.ts';
import { detectFormats } from '../../import-dataset.ts';

describe('a CSV of boxes', () => {
  const box = ['a.png', null, [['cup', 10, 20, 30, 40]]];
  it.each([
    ['TensorFlow', 'filename,width,height,class,xmin,ymin,xmax,ymax\na.png,100,50,cup,10,20,30,40\n', box],
    ['any order', 'label;x2;y2;x1;y1;image\r\ncup;30;40;10;20;a.png\r\n', box],
    ['corner and size', 'image_name,bbox_x,bbox_y,bbox_width,bbox_height,label_name,image_width,image_height\na.png,10,20,20,20,cup,100,50\n', box],
    ['middle and size in parts', 'path,class,x_center,y_center,width,height\na.png,cup,0.2,0.6,0.2,0.4\n', box],
    ['keras-retinanet', 'a.png,10,20,30,40,cup\n', box],
    ['a score and a split', 'file,label,left,top,right,bottom,score,split\na.png,cup,10,20,30,40,0.5,VALID\n', ['a.png', 'val', [['cup', 10, 20, 30, 40, 0.5]]]],
  ])('%s is read by its header', async (_, csv, picture) => {
    const { pictures, errors } = await readPictures({ 'boxes.csv': csv, 'a.png': null }, 'csv');
    expect([pictures, errors]).toEqual([[picture], []]);
  }); // prettier-ignore

  it('says how it was read, and where a row is wrong; a row without corners is a picture without boxes', async () => {
    const csv = 'filename,class,xmin,ymin,xmax,ymax\na.png,cup,10,20,many,40\nb.png,,,,,\nc.png,cup,1,2,3,4\n';
    const { pictures, errors, report } = await readPictures({ 'boxes.csv': csv, 'a.png': null, 'b.png': null }, 'csv');
    expect(pictures).toEqual([['a.png', null, []], ['b.png', null, []]]); // prettier-ignore
    expect(errors).toEqual(['The box “cup” has no number as x max, but “many”.', 'There is no file “c.png”.']);
    expect(report.problems[0]!.message).toBe(
      'Read as: picture “filename”, label “class”, edges “xmin”, “ymin”, “xmax”, “ymax” in pixels.',
    );
  });

  it.each([
    ['edges in parts', 'file,label,x1,y1,x2,y2\na.png,cup,0.1,0.4,0.3,0.8\na.png,cup,0,0,1,1\n', ['cup', 10, 20, 30, 40]],
    ['edges of which one is above 1', 'file,label,x1,y1,x2,y2\na.png,cup,0.5,0,1,1\na.png,cup,0,0,1,1.5\n', ['cup', 0.5, 0, 1, 1]],
    ['middle and size in pixels', 'file,label,cx,cy,w,h\na.png,cup,20,30,20,20\na.png,cup,2,2,2,2\n', ['cup', 10, 20, 30, 40]],
    ['spaces around everything', 'file,label,x1,y1,x2,y2,score\n a.png , cup , 10 ,20,30,40, 0.5 \na.png,b,1,1,2,2,\n', ['cup', 10, 20, 30, 40, 0.5]],
  ])('reads %s, two boxes of one picture', async (_, csv, first) => {
    const { pictures, errors, report } = await readPictures({ 'boxes.csv': csv, 'a.png': null }, 'csv');
    expect(pictures).toEqual([['a.png', null, [first, expect.anything()]]]);
    expect([errors, report.expectedImages]).toEqual([[], 1]);
  }); // prettier-ignore

  it('takes the size that a row says, and names columns of a table without a header by their place', async () => {
    const sized = 'file,label,x1,y1,x2,y2,image_width,image_height\na.png,cup,20,40,60,80,200,100\n';
    expect((await readPictures({ 'boxes.csv': sized, 'a.png': null }, 'csv')).pictures).toEqual([['a.png', null, [['cup', 10, 20, 30, 40]]]]); // prettier-ignore
    const plain = await readPictures({ 'x/val.tsv': 'a.png\t0.1\t0.4\t0.3\t0.8\tcup', 'a.png': null }, 'csv');
    expect(plain.pictures).toEqual([['a.png', 'val', [['cup', 10, 20, 30, 40]]]]);
    expect(plain.report.problems[0]!.message).toBe(
      'Read as: picture column 1, label column 6, edges column 2, column 3, column 4, column 5 in parts of the picture.',
    );
  });

  it('names the line of each error, also after blank lines and line breaks in quotes', async () => {
    const csv =
      'file,label,x,y,w,h\n\na.png,cup,10,20,30,\r\n"a.png","","1\r\n",1,9,9\rb.png,cup,1,1,2,2\n,cup,1,1,2,2\n';
    const { report } = await readPictures({ 'boxes.csv': csv, 'a.png': null }, 'csv');
    const errors = report.problems.filter(({ severity }) => severity === 'error');
    expect(errors.map(({ line, message }) => [line, message])).toEqual([
      [3, 'The box “cup” has no number as y max, but “”.'],
      [4, 'The box has no label, but “”.'],
      [6, 'There is no file “b.png”.'],
    ]);
    expect(report.problems[0]!.message).toContain('corner and size “x”, “y”, “w”, “h” in pixels');
  });

  it('is no table of measurements', async () => {
    const { found } = await detectFormats(folderOfFiles({ 'a.csv': 'time,label,x\n1,2,3\n', 'a.png': null }));
    expect(found).toEqual([]);
  });
});
