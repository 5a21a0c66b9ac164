import { readHead } from '../../item/content.ts';
import type { ListedFile } from '../../item/dataset-item.ts';
import type { DatasetReport } from '../../item/dataset-report.ts';
import { decodeText } from '../../files/decode-text.ts';
import type { FileIndex } from '../../files/file-index.ts';
import { extensionOf } from '../../item/inner-path.ts';
import { readText } from '../../files/read-text.ts';
import { childText, readXml, type XmlElement } from '../pascal-voc/read-xml.ts';

const mostFiles = 500;

/** A CVAT XML file. It annotates either images, or a video: then it has tracks and does not name pictures. */
export interface AnnotationFile {
  readonly file: ListedFile;
  readonly isVideo: boolean;
}

/** The XML files with an `<annotations>` element near their start. */
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

/** The labels in the task's order. CVAT writes them below `task`, `job` or `project`. */
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

/** The root element of a file. An unreadable file is reported. */
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
