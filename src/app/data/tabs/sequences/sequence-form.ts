import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { localExactText } from '../../../kit/words/figures.ts';
import type { DataContext } from '../../context/data-context.ts';
import { resourceText, type ListedSequence, type Resource } from './listed-sequence.ts';

/**
 * A time in a `datetime-local` field. Its text is local time, which is ambiguous in the hour when clocks are set back: `ms` is kept beside it.
 */
export interface FieldTime {
  readonly text: string;
  /** the time, since 1970; NaN: the text is no time */
  readonly ms: number;
}

/** The fields of a sequence that a person fills in. */
export interface SequenceForm {
  readonly partId: string;
  readonly resources: readonly Resource[];
  readonly start: FieldTime;
  readonly end: FieldTime;
  readonly tags: readonly string[];
}

/** Why no sequence can be saved of the form; '': one can. */
export function formFault({ partId, resources, start, end }: SequenceForm): string {
  if (partId === '') return 'Choose a part.';
  if (resources.length === 0) return 'Choose at least one resource.';
  if (Number.isNaN(start.ms) || Number.isNaN(end.ms)) return 'A sequence has a start and an end.';
  return start.ms > end.ms ? 'The sequence ends before it begins.' : '';
}

/** The time as the field shows it, to the millisecond. */
export const shownTime = (ms: number): FieldTime => ({ text: localExactText(ms).replace(' ', 'T'), ms });

/** The time that a person typed. */
export const typedTime = (text: string): FieldTime => ({ text, ms: new Date(text).getTime() });

export const emptyForm: SequenceForm = {
  partId: '',
  resources: [],
  start: typedTime(''),
  end: typedTime(''),
  tags: [],
};

export const formOf = ({ partId, resources, startMs, endMs, tags }: ListedSequence): SequenceForm => ({
  partId,
  resources,
  start: shownTime(startMs),
  end: shownTime(endMs),
  tags,
});

/** Creates a sequence; resolves to its id. @throws ConnectError */
export async function createSequence({ data }: Pick<DataContext, 'data'>, form: SequenceForm): Promise<string> {
  return (await data.createSequence({ partId: form.partId, ...fieldsOf(form) })).id;
}

/** Sends only the fields that differ: an unchanged time thus keeps its microseconds. @throws ConnectError */
export async function changeSequence(
  { data }: Pick<DataContext, 'data'>,
  before: ListedSequence,
  form: SequenceForm,
): Promise<void> {
  const shown = formOf(before);
  const differs = {
    resources: shown.resources.map(resourceText).join('\n') !== form.resources.map(resourceText).join('\n'),
    sequence_tags: shown.tags.join('\n') !== form.tags.join('\n'),
    start_time: shown.start.ms !== form.start.ms,
    end_time: shown.end.ms !== form.end.ms,
  };
  const paths = Object.entries(differs).flatMap(([path, isChanged]) => (isChanged ? [path] : []));
  if (paths.length > 0) await data.updateSequence({ id: before.id, ...fieldsOf(form), fieldMask: { paths } });
}

/** The window includes the whole of its last millisecond: captures are timed to the microsecond. */
const fieldsOf = ({ resources, tags, start, end }: SequenceForm) => {
  const endTime = timestampFromMs(end.ms);
  endTime.nanos += 999_000;
  return {
    resources: resources.map(({ resourceName, methodName }) => ({ resourceName, methodName })),
    sequenceTags: [...tags],
    startTime: timestampFromMs(start.ms),
    endTime,
  };
};
