import { readHead } from '../../content.ts';
import type { ListedFile } from '../../dataset-item.ts';
import type { DatasetReport } from '../../dataset-report.ts';
import { decodeText } from '../../files/decode-text.ts';
import type { FileIndex } from '../../files/file-index.ts';
import { extensionOf } from '../../files/inner-path.ts';
import { readText } from '../../files/read-text.ts';
import { childText, readXml, type XmlElement } from '../pascal-voc/read-xml.ts';

const mostFiles = 500;

/** A file of CVAT's XML format: of images, or of a video, which has tracks and names no pictures. */
export interface AnnotationFile {
  readonly file: ListedFile;
  readonly isVideo: boolean;
}

/** The files with `<annotations>` in their beginning. */
export async function annotationFiles(files: FileIndex): Promise<AnnotationFile[]> {
  const found: AnnotationFile[] = [];
  for (const file of files.files.filter(({ path }) => extensionOf(path) === '.xml').slice(0, mostFiles)) {
    const head = decodeText(await readHead(file, 64 * 1024)).text;
    if (!/<annotations[\s>]/.test(head)) continue;
    const isVideo = /<track[\s>]|<mode>interpolation</.test(head) && !/<image[\s/>]/.test(head);
    found.push({ file, isVideo });
  }
  return found;
}

/** In the order of the task, wherever its exports put them (`task`, `job`, `project`). */
export function labelsIn(root: XmlElement): string[] {
  const lists: XmlElement[] = [];
  const walk = (element: XmlElement): void => {
    if (element.name === 'labels') lists.push(element);
    else if (element.name !== 'image' && element.name !== 'track') element.children.forEach(walk);
  };
  walk(root);
  return lists
    .flatMap(({ children }) => children.map((label) => childText(label, 'name')))
    .filter((name) => name !== '');
}

/** The root of such a file; reports one that cannot be read. */
export async function readAnnotations(file: ListedFile, report: DatasetReport): Promise<XmlElement | null> {
  try {
    const root = readXml(await readText(file, report));
    if (root?.name === 'annotations') return root;
    throw new Error(`its root is <${root?.name ?? ''}>, not <annotations>`);
  } catch (error) {
    report.error(file.path, null, `The file cannot be read: ${(error as Error).message}.`);
    return null;
  }
}
