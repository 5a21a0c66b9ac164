export type DatasetFormat = 'viam-jsonl' | 'coco' | 'yolo' | 'pascal-voc' | 'cvat-video' | 'mot';

export interface FormatTraits {
  readonly title: string;
  /** one line on the files that an export writes */
  readonly layout: string;
  /** what survives an export and an import; boxes and splits always survive */
  readonly keeps: {
    readonly confidence: boolean;
    readonly classifications: boolean;
    readonly tags: boolean;
    readonly capturedAt: boolean;
    readonly origin: boolean;
    /** which boxes of a sequence show the same object */
    readonly tracks: boolean;
    /** areas that are not width × height */
    readonly areas: boolean;
    readonly crowds: boolean;
  };
}

/** The formats that can be imported: those that can also be exported, and formats of other tools. */
export type ImportFormat = DatasetFormat | 'label-studio' | 'labelme' | 'cvat' | 'csv' | 'class-folders';

const keepsNothing: FormatTraits['keeps'] = {
  confidence: false,
  classifications: false,
  tags: false,
  capturedAt: false,
  origin: false,
  tracks: false,
  areas: false,
  crowds: false,
};

/** The formats that can be exported. */
export const datasetFormats: Readonly<Record<DatasetFormat, FormatTraits>> = {
  'viam-jsonl': {
    title: 'Viam JSONL',
    layout: 'dataset.jsonl, data/',
    keeps: {
      confidence: true,
      classifications: true,
      tags: true,
      capturedAt: true,
      origin: true,
      tracks: true,
      areas: true,
      crowds: true,
    },
  },
  coco: {
    title: 'COCO',
    layout: 'annotations/instances.json, images/',
    keeps: { ...keepsNothing, confidence: true, capturedAt: true, tracks: true, areas: true, crowds: true },
  },
  yolo: {
    title: 'YOLO (Ultralytics)',
    layout: 'data.yaml, images/, labels/',
    keeps: { ...keepsNothing, confidence: true },
  },
  'pascal-voc': { title: 'Pascal VOC', layout: 'Annotations/, JPEGImages/, ImageSets/Main/', keeps: keepsNothing },
  'cvat-video': {
    title: 'CVAT for video',
    layout: 'a folder a video: annotations.xml, images/',
    keeps: { ...keepsNothing, tracks: true },
  },
  mot: {
    title: 'MOT',
    layout: 'a folder a video: gt/gt.txt, seqinfo.ini, img1/',
    keeps: { ...keepsNothing, tracks: true },
  },
};

/** The titles of the import formats, in the order in which detection tries them. */
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
