export type DatasetFormat = 'viam-jsonl' | 'coco' | 'yolo' | 'pascal-voc';

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
  };
}

/** The formats in the order in which an import tries them. */
export const datasetFormats: Readonly<Record<DatasetFormat, FormatTraits>> = {
  'viam-jsonl': {
    title: 'Viam JSONL',
    layout: 'dataset.jsonl, data/',
    keeps: { confidence: true, classifications: true, tags: true, capturedAt: true, origin: true },
  },
  coco: {
    title: 'COCO',
    layout: 'annotations/instances.json, images/',
    keeps: { confidence: true, classifications: false, tags: false, capturedAt: true, origin: false },
  },
  yolo: {
    title: 'YOLO (Ultralytics)',
    layout: 'data.yaml, images/, labels/',
    keeps: { confidence: true, classifications: false, tags: false, capturedAt: false, origin: false },
  },
  'pascal-voc': {
    title: 'Pascal VOC',
    layout: 'Annotations/, JPEGImages/, ImageSets/Main/',
    keeps: { confidence: false, classifications: false, tags: false, capturedAt: false, origin: false },
  },
};
