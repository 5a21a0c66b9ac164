import { expect, it } from 'vitest';
import { statedSizes } from './stated-sizes.ts';

it.each<[string, Record<string, string>, [key: string, widthPx: number, heightPx: number][]]>([
  ['height before width', { imgsz: '[320, 416]' }, [['imgsz', 416, 320]]],
  ['one number is both', { imgsz: '640' }, [['imgsz', 640, 640]]],
  ['channels and batches are no sides', { input_size: '(1, 3, 224, 192)' }, [['input_size', 192, 224]]],
  ['the shortest and the longest side', { imgsz: '8,8192' }, [['imgsz', 8192, 8]]],
  ['shorter and longer ones', { imgsz: '7,8193' }, []],
  ['no number', { imgsz: '[]' }, []],
  ['another key', { stride: '32' }, []],
  [
    'Ultralytics’ key first, whatever stands first in the file',
    { imagesize: '32', image_size: '64', img_size: '96', imgsz: '128' },
    [
      ['imgsz', 128, 128],
      ['img_size', 96, 96],
      ['image_size', 64, 64],
      ['imagesize', 32, 32],
    ],
  ],
])('%s', (_, metadata, sizes) => {
  expect(statedSizes(metadata)).toEqual(sizes.map(([key, widthPx, heightPx]) => ({ key, widthPx, heightPx })));
});
