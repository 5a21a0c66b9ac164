import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { cocoImageFacts, isRecord, type JsonRecord, recordsIn } from '../../evidence/datasets/face/formats.ts';
import { type PictureOfSet, recordedGroup } from '../../evidence/datasets/face/independence.ts';
import type { CocoImage } from '../../evidence/evaluation/face/matches.ts';
import { hashOf, lookAtEach } from './see-frames.ts';

/** From so many pictures on, looking at them takes long enough to be announced. */
const longFrom = 200;

/** Where the truth lies, and what it holds. */
interface TruthFile {
  readonly path: string;
  readonly value: unknown;
  readonly images: readonly CocoImage[];
}

interface LookOptions {
  /** whether pictures that lie beside the file are looked at */
  readonly looks: boolean;
  readonly say: (text: string) => void;
}

/** The pictures of a COCO file of whose results alone is evaluated, as the rule of independent units looks at them. */
export async function picturesOfFile(
  { path, value, images }: TruthFile,
  { looks, say }: LookOptions,
): Promise<readonly PictureOfSet[]> {
  const factsOf = cocoImageFacts(value as JsonRecord, path, null);
  const recordOf = new Map(
    recordsIn((value as JsonRecord)['images'])
      .filter(isRecord)
      .map((one) => [one['id'], one]),
  );
  const pictures = images.map(({ id, fileName: name }) => {
    const sequence = factsOf(recordOf.get(id)!, { path: name }).sequence?.name ?? null;
    return { recorded: recordedGroup(sequence, null, null), name };
  });
  const open = pictures.filter(({ recorded }) => recorded === '');
  const paths = looks ? await placesOf(open, dirname(path)) : null;
  const hashes = new Map<object, bigint>();
  if (paths) {
    if (open.length >= longFrom)
      say(`Looking at ${open.length} pictures for those that look alike; --independent-frames leaves that out.`);
    const files = open.map((picture, at) => ({ picture, name: picture.name, bytes: () => readFile(paths[at]!) }));
    await lookAtEach(files, async ({ picture }, frame) => void hashes.set(picture, hashOf(frame)));
  }
  return pictures.map((picture) => ({ ...picture, hash: hashes.get(picture) ?? null }));
}

/** Where the pictures lie: beside the file, or as COCO itself lays them out; null: some are in neither place. */
async function placesOf(
  pictures: readonly Pick<PictureOfSet, 'name'>[],
  folder: string,
): Promise<readonly string[] | null> {
  const tops = [folder, join(folder, 'images'), dirname(folder), join(dirname(folder), 'images')];
  const places: string[] = [];
  for (const { name } of pictures) {
    let place: string | null = null;
    for (const top of tops) place ??= await fileAt(join(top, name));
    if (place === null) return null;
    places.push(place);
  }
  return places;
}

const fileAt = (path: string): Promise<string | null> =>
  stat(path).then(
    (found) => (found.isFile() ? path : null),
    () => null,
  );
