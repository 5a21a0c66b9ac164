import { describe, expect, it } from 'vitest';
import { readPictures } from '../../../../../tests/read-pictures.ts';

describe('CVAT for images', () => {
  const image = (content: string, more = 'width="100" height="50"') =>
    `<annotations><version>1.1</version><meta><task><labels><label><name>plate</name></label><label><name>cup</name></label></labels></task></meta>
     <image id="0" name="sub/a.png" ${more}>${content}</image></annotations>`;

  it('gives boxes, and the boxes around what is none', async () => {
    const xml = image(`
      <box label="cup" occluded="0" xtl="10" ytl="20" xbr="30.5" ybr="40" z_order="0"><attribute name="colour">red</attribute></box>
      <box label="plate" xtl="40" ytl="10" xbr="60" ybr="20" rotation="90"></box>
      <polygon label="cup" points="1,2;5,2;5,9"></polygon>
      <mask label="cup" rle="1, 2" left="3" top="4" width="10" height="20"></mask>
      <polyline label="cup" points="1,2;5,2"></polyline>
      <points label="cup" points="1,2"></points>
      <cuboid label="cup"></cuboid>
      <tag label="kitchen"></tag>`);
    const { pictures, errors, lost, classes } = await readPictures(
      { 'annotations.xml': xml, 'images/sub/a.png': null },
      'cvat',
    );
    expect(pictures).toEqual([
      ['a.png', null, [['cup', 10, 20, 30.5, 40], ['plate', 45, 5, 55, 25], ['cup', 1, 2, 5, 9], ['cup', 3, 4, 13, 24]], 'is kitchen'],
    ]); // prettier-ignore
    expect(errors).toEqual([]);
    expect(lost).toEqual({ attributes: 1, turned: 1, polygons: 1, masks: 1, lines: 1, points: 1, others: 1 });
    expect(classes).toEqual(['plate', 'cup']);
  });

  it.each([
    ['a box that is hidden', '<box label="cup" occluded="1" xtl="1" ytl="2" xbr="3" ybr="4"/>', ['cup', 1, 2, 3, 4], { attributes: 1 }],
    ['a box that is not', '<box label="cup" occluded="0" xtl="1" ytl="2" xbr="3" ybr="4"/>', ['cup', 1, 2, 3, 4], {}],
    ['a box turned by nothing', '<box label="cup" rotation="0.00" xtl="1" ytl="2" xbr="3" ybr="4"/>', ['cup', 1, 2, 3, 4], {}],
    ['a polygon with an attribute', '<polygon label="cup" points="1,2;5,9"><attribute name="a">b</attribute></polygon>', ['cup', 1, 2, 5, 9], { polygons: 1, attributes: 1 }],
  ])('reads %s', async (_, shape, box, lost) => {
    const { pictures, errors, lost: counted } = await readPictures({ 'a.xml': image(shape), 'sub/a.png': null }, 'cvat');
    expect(pictures).toEqual([['a.png', null, [box]]]);
    expect([errors, counted]).toEqual([[], lost]);
  }); // prettier-ignore

  it.each([
    ['an edge that is missing', '<box label="cup" xtl="1" ytl="2" xbr="3"/>', 'The box “cup” has no number as y max, but undefined.'],
    ['an empty edge', '<box label="cup" xtl="" ytl="2" xbr="3" ybr="4"/>', 'The box “cup” has no number as x min, but “”.'],
    ['a point without its half', '<polygon label="cup" points="1,;3,4"/>', 'The box “cup” has no number as y min, but undefined.'],
    ['a polygon without points', '<polygon label="cup"/>', 'The box “cup” has no number as x min, but undefined.'],
    ['a box without a label', '<box xtl="1" ytl="2" xbr="3" ybr="4"/>', 'The box has no label, but undefined.'],
  ])('says what is wrong with %s', async (_, shape, message) => {
    const { pictures, errors } = await readPictures({ 'a.xml': image(shape), 'sub/a.png': null }, 'cvat');
    expect([pictures, errors]).toEqual([[['a.png', null, []]], [message]]);
  }); // prettier-ignore

  it('leaves out a file that breaks off or has another root, and reads the rest', async () => {
    const files = {
      'a.xml': '<annotations><image',
      'b.xml': '<!-- <annotations> --><note/>',
      'c.xml': image('<tag/><tag label="kitchen"/>'),
      'sub/a.png': null,
    };
    const { pictures, errors, report } = await readPictures(files, 'cvat');
    expect(pictures).toEqual([['a.png', null, [], 'is kitchen']]);
    expect(errors[0]).toMatch(/^The file cannot be read: /);
    expect(errors[1]).toBe('The file cannot be read: its root is <note>, not <annotations>.');
    expect(report.expectedImages).toBe(1);
  });

  it('counts tracks beside pictures, and knows no classes of theirs', async () => {
    const xml = image('').replace('</annotations>', '<track><labels><label><name>x</name></label></labels></track><labels><label/></labels></annotations>'); // prettier-ignore
    const { errors, lost, classes } = await readPictures({ 'a.xml': xml, 'sub/a.png': null }, 'cvat');
    expect([errors, lost, classes]).toEqual([[], { tracks: 1 }, ['plate', 'cup']]);
  });

  it('leaves out a picture that is not there, says so, and reads the rest', async () => {
    const xml = image('').replace('</annotations>', '<image name="b.png"/><image/></annotations>');
    const { pictures, errors } = await readPictures({ 'a.xml': xml, 'b.png': null }, 'cvat');
    expect(pictures).toEqual([['b.png', null, []]]);
    expect(errors).toEqual(['There is no file “sub/a.png”.', 'There is no file “”.']);
  });

  it('takes the size from the picture and the split from the subset', async () => {
    const xml = image('<box label="cup" xtl="10" ytl="20" xbr="30" ybr="40"/>', 'subset="Validation"');
    const { pictures } = await readPictures({ 'a.xml': xml, 'sub/a.png': null }, 'cvat');
    expect(pictures).toEqual([['a.png', 'val', [['cup', 10, 20, 30, 40]]]]);
  });
});
