export type DatasetFormat = 'viam-jsonl' | 'coco' | 'yolo' | 'pascal-voc' | 'cvat-video' | 'mot';

export interface FormatTraits {
  readonly title: string;
  /** what an export writes, in one line */
  readonly layout: string;
  /** what survives export and import; boxes and splits always do */
  readonly keeps: {
    readonly confidence: boolean;
    readonly classifications: boolean;
    readonly tags: boolean;
    readonly capturedAt: boolean;
    readonly origin: boolean;
    /** which boxes of a video are one object */
    readonly tracks: boolean;
  };
}

/** What is read: the formats that are written, too, and those of other tools. */
export type ImportFormat = DatasetFormat | 'label-studio' | 'labelme' | 'cvat' | 'csv' | 'class-folders';

/** The formats that are written. */
export const datasetFormats: Readonly<Record<DatasetFormat, FormatTraits>> = {
  'viam-jsonl': {
    title: 'Viam JSONL',
    layout: 'dataset.jsonl, data/',
    keeps: { confidence: true, classifications: true, tags: true, capturedAt: true, origin: true, tracks: true },
  },
  coco: {
    title: 'COCO',
    layout: 'annotations/instances.json, images/',
    keeps: { confidence: true, classifications: false, tags: false, capturedAt: true, origin: false, tracks: true },
  },
  yolo: {
    title: 'YOLO (Ultralytics)',
    layout: 'data.yaml, images/, labels/',
    keeps: { confidence: true, classifications: false, tags: false, capturedAt: false, origin: false, tracks: false },
  },
  'pascal-voc': {
    title: 'Pascal VOC',
    layout: 'Annotations/, JPEGImages/, ImageSets/Main/',
    keeps: { confidence: false, classifications: false, tags: false, capturedAt: false, origin: false, tracks: false },
  },
  'cvat-video': {
    title: 'CVAT for video',
    layout: 'a folder a video: annotations.xml, images/',
    keeps: { confidence: false, classifications: false, tags: false, capturedAt: false, origin: false, tracks: true },
  },
  mot: {
    title: 'MOT',
    layout: 'a folder a video: gt/gt.txt, seqinfo.ini, img1/',
    keeps: { confidence: false, classifications: false, tags: false, capturedAt: false, origin: false, tracks: true },
  },
};

/** What each format that is read is called, in the order in which they are tried. */
export const importTitles: Readonly<Record<ImportFormat, string>> = {
  'viam-jsonl': datasetFormats['viam-jsonl'].title,
  'label-studio': 'Label Studio',
  labelme: 'LabelMe',
  coco: datasetFormats.coco.title,
  mot: datasetFormats.mot.title,
  yolo: datasetFormats.yolo.title,
  'cvat-video': datasetFormats['cvat-video'].title,
  cvat: 'CVAT for images',
  'pascal-voc': datasetFormats['pascal-voc'].title,
  csv: 'CSV of boxes',
  'class-folders': 'Folders of classes',
};
