import { expect, it } from 'vitest';
import { spareBlob } from './spare-blob.ts';

const piece = (byte: number) => new Uint8Array(70_000).fill(byte);

it('gives back what was written, as a blob or piece by piece', async () => {
  const [one, other] = [spareBlob(), spareBlob()];
  for (const spare of [one, other]) for (const byte of [1, 2]) await spare.write(piece(byte));
  expect(Buffer.concat([piece(1), piece(2)]).equals(await (await one.blob()).bytes())).toBe(true);
  const pieces: Uint8Array[] = [];
  for await (const bytes of other.read()) pieces.push(bytes);
  expect(Buffer.concat(pieces).equals(Buffer.concat([piece(1), piece(2)]))).toBe(true);
  await one.remove();
});

it('takes nothing once it was let go', async () => {
  const spare = spareBlob();
  await spare.write(piece(1));
  await spare.remove();
  await expect(spare.write(piece(2))).rejects.toThrow('let go');
});
