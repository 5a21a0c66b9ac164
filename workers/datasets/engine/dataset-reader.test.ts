import { expect, it } from 'vitest';
import { pngHeader } from '../../../tests/dataset-fixture.ts';
import { DatasetReader } from './dataset-reader.ts';

async function openPictures(pictures: Readonly<Record<string, BlobPart>>) {
  const names = Object.keys(pictures);
  const lines = names.map((name) => JSON.stringify({ image_path: name })).join('\n');
  const files = Object.entries({ ...pictures, 'dataset.jsonl': lines });
  const reader = new DatasetReader();
  const { number } = await reader.open({
    kind: 'files',
    files: files.map(([path, part]) => ({ path, file: new File([part], path) })),
  });
  await reader.read(number, 'viam-jsonl', () => undefined, new AbortController().signal);
  return { reader, number };
}

it('names pictures by their bytes, and by their ending where those are not read', async () => {
  const { reader, number } = await openPictures({ 'a.JPG': pngHeader(10, 5) as BlobPart, 'b.gif': 'GIF89a' });
  expect(await reader.picture(number, 0)).toMatchObject({ mimeType: 'image/png', orientation: 1 });
  expect(await reader.picture(number, 1)).toMatchObject({ mimeType: 'image/gif' });
});

it('refuses what is no picture, and says what it is', async () => {
  const { reader, number } = await openPictures({ 'a.jpg': '<html>Not found</html>' });
  await expect(reader.picture(number, 0)).rejects.toMatchObject({
    code: 'unreadable-image',
    message: 'The file is not a JPEG, PNG or WebP: its 22 bytes start with “<html>Not found</html>”.',
  });
});

it('says of zips within what was chosen that they have to be unpacked', async () => {
  const files = ['x/images.zip', 'x/annotations.zip'].map((path) => ({ path, file: new File(['PK'], path) }));
  await expect(new DatasetReader().open({ kind: 'files', files })).rejects.toMatchObject({
    code: 'unknown-format',
    message:
      'There is no dataset beside the zips in it: x/images.zip, x/annotations.zip. Unpack them into one folder, and import that.',
  });
});
