import type { StillFrame } from '../../../platform/ports/frame-source.ts';
import { isLabelListName, isModelName, modelAmong, opensByName } from '../../../platform/ports/model-file-name.ts';
import type { NamedFile, UnreadFile } from '../../../platform/ports/named-file.ts';

const imageName = /\.(png|jpe?g|jfif|webp|gif|bmp|avif|ico|svg|tiff?)$/i;
const videoName = /\.(mp4|m4v|mov|webm|mkv|ogv|avi|3gp)$/i;
const annotationName = /\.(txt|xml|json)$/i;

export const unknownName = 'the name is not that of an image, video, model, configuration, label list or saved bench';

/** Files that no part took, and why. */
export interface LeftOut {
  readonly names: readonly string[];
  readonly why: string;
}

/**
 * The files of a drop, a paste or a choice by their purpose. Pictures and videos are in natural order of their
 * names.
 */
export interface SortedFiles {
  readonly stills: readonly StillFrame[];
  readonly videos: readonly File[];
  /** the model, and files that may hold its weights */
  readonly model: {
    readonly file: File;
    readonly beside: readonly File[];
    /** models that are tried in turn if this one does not run */
    readonly others: readonly File[];
  } | null;
  readonly configuration: File | null;
  readonly labels: File | null;
  readonly benchFile: File | null;
  readonly leftOut: readonly LeftOut[];
}

/** Sorts files by name and type, without reading them. Empty ones are left out. */
export function sortFiles(files: readonly NamedFile[]): SortedFiles {
  // Natural order: frame 2 before frame 10.
  const all = files.toSorted((a, b) => a.path.localeCompare(b.path, 'en', { numeric: true }));
  const inOrder = all.filter(({ file }) => file.size > 0);
  const stems = new Set(inOrder.filter((named) => isPicture(named)).map(({ path }) => stemOf(path)));
  const of = (kind: Kind) => inOrder.filter((named) => kindOf(named, stems) === kind);
  const [images, videos] = [of('image'), of('video')];
  const candidates = of('model').map(({ file }) => file);
  const among = modelAmong(candidates);
  // A .bin file beside pictures may be anything: it is a model only if it comes alone.
  const model = among && (opensByName(among.file.name) || images.length + videos.length === 0) ? among : null;
  const otherModels = (model?.beside ?? []).filter(({ name }) => opensByName(name));
  const [configuration, ...otherConfigurations] = of('configuration');
  const [labels, ...otherLabels] = of('labels');
  const [benchFile, ...otherBenchFiles] = of('bench');
  const unknown = [...of('unknown'), ...(model ? [] : of('model'))];
  return {
    stills: images.map(({ file, path }) => ({ name: path, blob: () => Promise.resolve(file) })),
    videos: videos.map(({ file }) => file),
    model: model && {
      file: model.file,
      beside: model.beside.filter((file) => !otherModels.includes(file)),
      others: otherModels,
    },
    configuration: configuration?.file ?? null,
    labels: labels?.file ?? null,
    benchFile: benchFile?.file ?? null,
    leftOut: [
      leave(
        all.filter(({ file }) => file.size === 0),
        'an empty file: copy or download it again',
      ),
      leave(
        of('annotation'),
        'named as one of the pictures, so taken for its annotation: import it under Data → Datasets → Import',
      ),
      leave(otherConfigurations, 'only one configuration can be opened at a time'),
      leave(otherLabels, 'only one label list can be opened at a time'),
      leave(otherBenchFiles, 'only one saved bench can be opened at a time'),
      leave(unknown, unknownName),
    ].filter(({ names }) => names.length > 0),
  };
}

type Kind = 'image' | 'video' | 'model' | 'configuration' | 'labels' | 'bench' | 'annotation' | 'unknown';

const isPicture = ({ file, path }: NamedFile): boolean => file.type.startsWith('image/') || imageName.test(path);

/**
 * `pictureStems`: the names of the pictures that came with it. A file with the name of a picture is its annotation.
 */
function kindOf(named: NamedFile, pictureStems: ReadonlySet<string>): Kind {
  const { file, path } = named;
  if (annotationName.test(path) && pictureStems.has(stemOf(path))) return 'annotation';
  if (isModelName(path)) return 'model';
  if (isPicture(named)) return 'image';
  if (file.type.startsWith('video/') || videoName.test(path)) return 'video';
  if (/\.json$/i.test(path)) return 'configuration';
  if (/\.zip$/i.test(path)) return 'bench';
  return isLabelListName(path) ? 'labels' : 'unknown';
}

/** The file name without folders and extension: pictures and annotations may be in different folders. */
const stemOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '');

const leave = (files: readonly (NamedFile | File)[], why: string): LeftOut => ({
  names: files.map((one) => ('path' in one ? one.path : one.name)),
  why,
});

/** Groups files that cannot be read by their reason. */
export const leaveUnread = (unread: readonly UnreadFile[]): readonly LeftOut[] =>
  [...new Set(unread.map(({ why }) => why))].map((reason) => ({
    names: unread.filter(({ why }) => why === reason).map(({ path }) => path),
    why: `it cannot be read: ${reason}`,
  }));
