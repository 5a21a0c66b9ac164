import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { TagsFilterType, type Filter, type FilterSchema } from '../../../../gen/app/data/v1/data_pb.ts';

/** A filter of stored data: the service's Filter in the words of the page. '' and [] match everything. */
export interface DataFilter {
  readonly robotName: string;
  readonly robotId: string;
  readonly partName: string;
  readonly partId: string;
  readonly locationIds: readonly string[];
  readonly componentName: string;
  readonly componentType: string;
  readonly method: string;
  /**
   * date and time in UTC as `<input type="datetime-local">` writes it; the interval includes its start and excludes
   * its end
   */
  readonly start: string;
  readonly end: string;
  readonly mimeTypes: readonly string[];
  /** any of these */
  readonly tags: readonly string[];
  readonly tagged: Tagged;
  /** matches a file with a box of any of these labels */
  readonly boxLabels: readonly string[];
  readonly datasetId: string;
  /** matches a part of the name, in any case */
  readonly fileName: string;
  /** numbers as they were typed; file sizes in kB, confidences of at least one box */
  readonly boxesMin: string;
  readonly boxesMax: string;
  readonly confidenceMin: string;
  readonly confidenceMax: string;
  readonly sizeMin: string;
  readonly sizeMax: string;
  /** matches if at least one box was made so; a person's boxes have no confidence */
  readonly madeBy: MadeBy;
}

export type MadeBy = 'anyone' | 'person' | 'model';
export type Tagged = 'either' | 'tagged' | 'untagged';

export const emptyFilter: DataFilter = {
  robotName: '',
  robotId: '',
  partName: '',
  partId: '',
  locationIds: [],
  componentName: '',
  componentType: '',
  method: '',
  start: '',
  end: '',
  mimeTypes: [],
  tags: [],
  tagged: 'either',
  boxLabels: [],
  datasetId: '',
  fileName: '',
  boxesMin: '',
  boxesMax: '',
  confidenceMin: '',
  confidenceMax: '',
  sizeMin: '',
  sizeMax: '',
  madeBy: 'anyone',
};

export const textFields = [
  'fileName',
  'robotName',
  'robotId',
  'partName',
  'partId',
  'componentName',
  'componentType',
  'method',
] as const satisfies readonly (keyof DataFilter)[];

export const listFields = [
  'locationIds',
  'mimeTypes',
  'tags',
  'boxLabels',
] as const satisfies readonly (keyof DataFilter)[];

export const rangeFields = [
  'boxesMin',
  'boxesMax',
  'confidenceMin',
  'confidenceMax',
  'sizeMin',
  'sizeMax',
] as const satisfies readonly (keyof DataFilter)[];

export type RangeField = (typeof rangeFields)[number];
export type TextField = (typeof textFields)[number];
export type ListField = (typeof listFields)[number];

/** The name of each field, beside it and on its chip. */
export const fieldNames: Readonly<Record<keyof DataFilter, string>> = {
  robotName: 'Machine',
  robotId: 'Machine id',
  partName: 'Part',
  partId: 'Part id',
  locationIds: 'Location',
  componentName: 'Component',
  componentType: 'Component type',
  method: 'Method',
  start: 'From, UTC',
  end: 'Until, UTC',
  mimeTypes: 'Type',
  tags: 'Tag',
  tagged: 'Tags',
  boxLabels: 'Box label',
  datasetId: 'Dataset',
  fileName: 'File name',
  boxesMin: 'Boxes ≥',
  boxesMax: 'Boxes ≤',
  confidenceMin: 'Confidence ≥',
  confidenceMax: 'Confidence ≤',
  sizeMin: 'kB ≥',
  sizeMax: 'kB ≤',
  madeBy: 'Boxes by',
};

const tagsFilterTypes: Readonly<Record<Tagged, TagsFilterType>> = {
  either: TagsFilterType.MATCH_BY_OR,
  tagged: TagsFilterType.TAGGED,
  untagged: TagsFilterType.UNTAGGED,
};

export type WireFilter = Exclude<MessageInitShape<typeof FilterSchema>, Filter>;

/**
 * The Filter message of the service, within one organization. `mimeTypes` are those of the tab, used if the person
 * chose none.
 */
export function wireFilter(filter: DataFilter, organizationId: string, mimeTypes: readonly string[] = []): WireFilter {
  const { start, end } = intervalMs(filter);
  const { robotName, robotId, partName, partId, componentName, componentType, method, datasetId } = filter;
  return {
    robotName,
    robotId,
    partName,
    partId,
    componentName,
    componentType,
    method,
    datasetId,
    organizationIds: [organizationId],
    locationIds: [...filter.locationIds],
    mimeType: [...(filter.mimeTypes.length > 0 ? filter.mimeTypes : mimeTypes)],
    bboxLabels: [...filter.boxLabels],
    ...((start !== null || end !== null) && {
      interval: {
        ...(start !== null && { start: timestampFromMs(start) }),
        ...(end !== null && { end: timestampFromMs(end) }),
      },
    }),
    ...((filter.tags.length > 0 || filter.tagged !== 'either') && {
      tagsFilter: { type: tagsFilterTypes[filter.tagged], tags: [...filter.tags] },
    }),
  };
}

/** The interval in ms since 1970; null: no bound. */
export function intervalMs({ start, end }: Pick<DataFilter, 'start' | 'end'>): {
  readonly start: number | null;
  readonly end: number | null;
} {
  const ms = (text: string): number | null => {
    const time = text === '' ? Number.NaN : new Date(`${text}Z`).getTime();
    return Number.isNaN(time) ? null : time;
  };
  return { start: ms(start), end: ms(end) };
}
