import { expect, it } from 'vitest';
import { findBoxColumns } from './box-columns.ts';

const none = { width: -1, height: -1, confidence: -1, split: -1 };

it.each([
  ['filename,class,xmin,ymin,xmax,ymax', 'edges', [2, 3, 4, 5], { picture: 0, label: 1 }],
  ['Label,Y2,X2,Y1,X1,Image_Path', 'edges', [4, 3, 2, 1], { picture: 5, label: 0 }],
  ['file,label,left,top,right,bottom', 'edges', [2, 3, 4, 5], {}],
  ['file,label,xtl,ytl,xbr,ybr', 'edges', [2, 3, 4, 5], {}],
  ['img,name,center_x,center_y,width,height', 'middle-size', [2, 3, 4, 5], {}],
  ['img,name,cx,cy,w,h', 'middle-size', [2, 3, 4, 5], {}],
  ['img,name,left,top,width,height', 'corner-size', [2, 3, 4, 5], {}],
  ['img,name,xmin,ymin,width,height', 'corner-size', [2, 3, 4, 5], {}],
  ['img,name,x,y,width,height', 'corner-size', [2, 3, 4, 5], {}],
  ['img,name,x,y,w,h', 'corner-size', [2, 3, 4, 5], {}],
  ['img,name,xmin,ymin,xmax,ymax,width,height', 'edges', [2, 3, 4, 5], { width: 6, height: 7 }],
  ['img,name,x,y,width,height,img w,img h', 'corner-size', [2, 3, 4, 5], { width: 6, height: 7 }],
  ['img,name,x1,y1,x2,y2,conf,subset', 'edges', [2, 3, 4, 5], { confidence: 6, split: 7 }],
  ['image_id,img,name,x,y,w,h', 'corner-size', [3, 4, 5, 6], { picture: 1, label: 2 }],
])('knows the columns of %s', (header, shape, corners, more) => {
  expect(findBoxColumns([header.split(',')])).toEqual({
    picture: 0,
    label: 1,
    shape,
    corners,
    hasHeader: true,
    ...none,
    ...more,
  });
});

it.each([
  ['picture', 'filename file file_id image image_name imagePath image_file path file_path img image_id frame'],
  ['label', 'class label class_name label_name category category_name name object type'],
  ['confidence', 'confidence score conf probability'],
  ['split', 'split set subset usage'],
  ['width', 'image_width img_width imgw width'],
  ['height', 'image_height img_height imgh height'],
] as const)('takes each of these for the column of the %s: %s', (column, names) => {
  const header = ['filename', 'class', 'x1', 'y1', 'x2', 'y2'];
  for (const name of names.split(' ')) {
    const others = header.filter((other) => !(other === 'filename' && column === 'picture') && !(other === 'class' && column === 'label')); // prettier-ignore
    expect(findBoxColumns([[...others, name]])?.[column]).toBe(others.length);
  }
});

const row = 'a.png,10,20,30,40,cup'.split(',');

it('knows a table without a header by its rows', () => {
  const columns = { picture: 0, label: 5, corners: [1, 2, 3, 4], shape: 'edges', hasHeader: false, ...none };
  expect(findBoxColumns([row])).toEqual(columns);
  expect(findBoxColumns([row, 'b.JPEG,1,2,3,4.5,7 up'.split(',')])).toEqual(columns);
});

it.each([
  ['nothing', []],
  ['no label', ['img,x,y,w,h']],
  ['no picture', ['label,x,y,w,h']],
  ['no fourth corner', ['img,label,x1,y1,x2,y3']],
  ['a row of seven', ['a.png,10,20,30,40,cup,1']],
  ['a row of five', ['a.png,10,20,30,cup']],
  ['a first column that names no file', ['a,10,20,30,40,cup']],
  ['an extension in the middle', ['a.png b,10,20,30,40,cup']],
  ['a corner that is not a number', ['a.png,10,20,30,x,cup']],
  ['a corner that is missing', ['a.png,10,20,,40,cup']],
  ['a label that is a number', ['a.png,10,20,30,40,7']],
  ['a second row of another kind', ['a.png,10,20,30,40,cup', 'b.png,1']],
])('knows no columns of %s', (_, rows) => {
  expect(findBoxColumns(rows.map((one) => one.split(',')))).toBeNull();
});
