import { acceptBox } from '../../item/accept-box.ts';
import { readHead } from '../../item/content.ts';
import type { DatasetBox, DatasetItem, ListedFile, SizePx, Split } from '../../item/dataset-item.ts';
import { shown, type DatasetReport } from '../../item/dataset-report.ts';
import { decodeText } from '../../files/decode-text.ts';
import type { FileIndex } from '../../files/file-index.ts';
import { baseNameOf, extensionOf, folderOf, isImagePath, splitExtension } from '../../item/inner-path.ts';
import { readLabelsFile } from '../../files/labels-file.ts';
import { linesOf } from '../../files/read-lines.ts';
import { readText } from '../../files/read-text.ts';
import { readImageSize } from '../../image-size/read-image-size.ts';
import { statedPicture, turnedNote, turnedWithPicture } from '../../image-size/turned-with-picture.ts';
import { claimPicture, Claims, type DatasetImporter } from '../importing.ts';
import { splitOfPath, splitOfWord } from '../../item/split-of-path.ts';
import { child, childText, readXml, type XmlElement } from './read-xml.ts';

/**
 * Reads Pascal VOC annotations (see `exportPascalVoc`); the order of elements does not matter. Corners count pixels from
 * 1, and the last pixel is inside the box; a 0, which tools write that count from 0, is the picture's edge. Decimals are
 * accepted. The picture is the one named by `filename`, otherwise the one with the XML file's own name. A missing size is
 * read from the picture.
 */
export const pascalVocImporter: DatasetImporter = { detect, importItems };

async function detect(files: FileIndex) {
  const candidates = files.files.filter(({ path }) => extensionOf(path) === '.xml');
  for (const start of candidates.slice(0, 20)) {
    if (/<annotation[\s>]/.test(decodeText(await readHead(start, 4096)).text)) return { start };
  }
  const [first] = candidates;
  return { start: null, missing: first ? `${first.path} has no <annotation>` : 'there is no .xml file' };
}

async function* importItems(files: FileIndex, report: DatasetReport): AsyncGenerator<DatasetItem> {
  const annotations = files.files.filter(({ path }) => extensionOf(path) === '.xml');
  report.expectedImages = annotations.length;
  const pictures = new Pictures(files);
  const splits = await readImageSets(files, report);
  await readLabelsFile(files, report);
  for (const file of annotations) {
    const annotation = await readAnnotation(file, report);
    const picture = annotation && pictures.claim(annotation, file, report);
    if (!picture) continue;
    const [stem] = splitExtension(baseNameOf(file.path));
    const objects = annotation.children.filter(({ name }) => name === 'object');
    const declared = declaredSize(annotation);
    const stated = statedPicture(declared, objects.length > 0 || !declared ? await readImageSize(picture) : null);
    if (stated.orientation !== 1) report.note(file.path, null, turnedNote(picture.path, stated));
    const { sizePx } = stated;
    const boxSizePx = declared ?? sizePx;
    const boxes = boxSizePx === null ? [] : objects.flatMap((one) => boxOf(one, boxSizePx, file.path, report) ?? []);
    if (sizePx === null && objects.length > 0) {
      report.error(file.path, null, `It has no <size>, and ${picture.path} does not tell it; its boxes are left out.`);
    }
    report.datasetName ??= childText(child(annotation, 'source'), 'database') || null;
    yield {
      contentId: picture.path,
      fileName: baseNameOf(picture.path),
      content: picture,
      sizePx,
      boxes: turnedWithPicture(boxes, stated),
      classifications: [],
      tags: [],
      capturedAt: null,
      origin: {},
      split: splits.get(stem) ?? splitOfPath(folderOf(picture.path)),
    };
  }
}

async function readAnnotation(file: ListedFile, report: DatasetReport): Promise<XmlElement | null> {
  let text = '';
  try {
    text = await readText(file, report);
    const declared = /^\s*<\?xml[^>]*encoding\s*=\s*["']([^"']+)/.exec(text)?.[1] ?? 'utf-8';
    if (!/^(utf-?(8|16)|us-ascii|windows-1252|iso-8859-1|latin-?1)$/i.test(declared)) {
      throw new Error(`it is written in ${declared}; save it as UTF-8`);
    }
    const root = readXml(text);
    if (root?.name === 'annotation') return root;
    throw new Error(`its root is <${root?.name ?? ''}>, not <annotation>`);
  } catch (error) {
    const line = bareAmpersandLine(text);
    const reason = line === null ? (error as Error).message : 'a “&” in a text has to be written as &amp;';
    report.error(file.path, line, `The file cannot be read: ${reason}.`);
    return null;
  }
}

/** The line of an unescaped “&”, for which the parser's own message is misleading; null if there is none. */
function bareAmpersandLine(text: string): number | null {
  const at = text.search(/&(?!#?\w+;)/);
  return at < 0 ? null : text.slice(0, at).split('\n').length;
}

/** The pictures by name and by stem. Each can be claimed by one annotation. */
class Pictures {
  readonly #files: FileIndex;
  readonly #claims = new Claims();
  readonly #byStem = new Map<string, ListedFile[]>();

  constructor(files: FileIndex) {
    this.#files = files;
    for (const file of files.files) {
      if (!isImagePath(file.path)) continue;
      const stem = stemOf(file.path);
      const namesakes = this.#byStem.get(stem);
      if (namesakes) namesakes.push(file);
      else this.#byStem.set(stem, [file]);
    }
  }

  /**
   * Claims the picture of an annotation: the one at the path of `filename`, otherwise the one with the XML file's own name,
   * otherwise one of the name `filename` in another folder, because `filename` often comes from another machine.
   */
  claim(annotation: XmlElement, file: ListedFile, report: DatasetReport): ListedFile | null {
    const reference = childText(annotation, 'filename');
    if (this.#files.stored) {
      const context = { files: this.#files, claims: this.#claims, report };
      return claimPicture(reference || stemOf(file.path), '', context, { file: file.path, line: null });
    }
    const sibling = folderOf(folderOf(file.path));
    const isNear = (path: string) => folderOf(folderOf(path)) === sibling;
    const named = this.#files.find(reference, folderOf(file.path), isNear);
    const ofStem = this.#byStem.get(stemOf(file.path)) ?? [];
    const nearest = ofStem.length > 1 ? ofStem.filter(({ path }) => isNear(path)) : ofStem;
    const candidates = [
      ...(named.file && !named.loose && isImagePath(named.file.path) ? [named.file] : []),
      ...(nearest.length === 1 ? nearest : []),
      ...(named.file && isImagePath(named.file.path) ? [named.file] : []),
    ];
    for (const picture of candidates) if (this.#claims.take(picture, file.path) === null) return picture;
    const [taken] = candidates;
    if (taken)
      report.error(file.path, null, `${taken.path} has been imported already, from ${this.#claims.take(taken, '')}.`);
    else if (reference === '') report.error(file.path, null, 'It has no <filename>, and no picture has its own name.');
    else report.error(file.path, null, named.file ? `${shown(reference)} is not a picture.` : named.message);
    return null;
  }
}

function stemOf(path: string): string {
  return splitExtension(baseNameOf(path))[0].toLowerCase();
}

function boxOf(
  object: XmlElement,
  { widthPx, heightPx }: SizePx,
  path: string,
  report: DatasetReport,
): DatasetBox | null {
  // Line breaks around a name are formatting; spaces may belong to the name.
  const label = (child(object, 'name')?.text ?? '').replace(/^\s*\n\s*|\s*\n\s*$/g, '');
  const box = child(object, 'bndbox');
  if (child(object, 'polygon')) report.lose('polygons');
  if (child(object, 'robndbox')) report.lose('turned');
  if (child(object, 'attributes')) report.lose('attributes');
  if (!box) {
    report.error(path, null, `The object “${label}” has no <bndbox>.`);
    return null;
  }
  const first = (name: string, sizePx: number) => Math.max(0, pixel(box, name) - 1) / sizePx;
  const last = (name: string, sizePx: number) => pixel(box, name) / sizePx;
  const corners = [
    first('xmin', widthPx),
    first('ymin', heightPx),
    last('xmax', widthPx),
    last('ymax', heightPx),
  ] as const;
  const written = ['xmin', 'ymin', 'xmax', 'ymax'].map((name) => childText(box, name));
  return acceptBox({ label, corners, written }, report, path, null);
}

function pixel(box: XmlElement, name: string): number {
  const text = childText(box, name);
  return text === '' ? NaN : Number(text);
}

function declaredSize(annotation: XmlElement): SizePx | null {
  const size = child(annotation, 'size');
  const [widthPx, heightPx] = [Number(childText(size, 'width')), Number(childText(size, 'height'))];
  return widthPx > 0 && heightPx > 0 ? { widthPx, heightPx } : null;
}

/** The split of each stem, from `ImageSets/Main/train.txt` and so on. Lists of one class (`cat_train.txt`) are ignored. */
async function readImageSets(files: FileIndex, report: DatasetReport): Promise<Map<string, Split>> {
  const splits = new Map<string, Split>();
  for (const file of files.files) {
    const split = splitOfWord(splitExtension(baseNameOf(file.path))[0]);
    if (split === null || extensionOf(file.path) !== '.txt' || !/(^|\/)ImageSets\//i.test(file.path)) continue;
    for (const { text } of linesOf(await readText(file, report))) {
      const [stem] = (text ?? '').trim().split(/\s/);
      if (stem) splits.set(stem, split);
    }
  }
  return splits;
}
