import type { SequenceResourceFilter } from '../../gen/app/data/v1/data_pb.ts';
import type { Timestamp } from '@bufbuild/protobuf/wkt';
import { checkedTags } from '../annotation-rules/require-tags.ts';
import type { Sequence, SequenceResource } from '../ports/sequence-store.ts';
import type { Micros } from '../ports/stored-captures.ts';
import { invalidArgument, requireText } from '../wire/invalid-argument.ts';
import { fromTimestamp } from '../wire/timestamps.ts';

// The fields of a sequence that a client sets. The API's public description says which resources a sequence takes: images of cameras
// and of vision services, and readings; no other files.

/** More would make a page of sequences larger than an answer may be. */
const maxResources = 100;
const maxTags = 100;

/** Methods whose captures are files that are no images. */
const methodsOfOtherFiles: ReadonlySet<string> = new Set([
  'NextPointCloud',
  'PointCloudMap',
  'GetPointCloudMap',
  'GetAudio',
]);

/** @throws ConnectError InvalidArgument */
export function requireResources(resources: readonly SequenceResourceFilter[]): SequenceResource[] {
  if (resources.length === 0) throw invalidArgument('resources is empty; give at least one resource and its method.');
  requireFew(resources, 'resources', maxResources);
  const distinct = new Map<string, SequenceResource>();
  for (const [index, { resourceName, methodName }] of resources.entries()) {
    requireText(resourceName, `resources[${index}].resource_name`);
    requireText(methodName, `resources[${index}].method_name`);
    if (methodsOfOtherFiles.has(methodName)) {
      throw invalidArgument(
        `resources[${index}].method_name is ${methodName}; a sequence has images and readings, no other files.`,
      );
    }
    distinct.set(JSON.stringify([resourceName, methodName]), { resourceName, methodName });
  }
  return [...distinct.values()];
}

/** @throws ConnectError InvalidArgument */
export function requireSequenceTags(tags: readonly string[]): string[] {
  const distinct = [...new Set(checkedTags(tags, 'sequence_tags'))];
  requireFew(distinct, 'sequence_tags', maxTags);
  return distinct;
}

/** @throws ConnectError InvalidArgument for an absent time */
export function requireTime(time: Timestamp | undefined, field: string): Micros {
  const micros = fromTimestamp(time);
  if (micros === null) throw invalidArgument(`${field} is absent; it must be given.`);
  return micros;
}

/** @throws ConnectError InvalidArgument for a window that ends before it starts */
export function requireWindow<Window extends Pick<Sequence, 'start' | 'end'>>(window: Window): Window {
  if (window.start > window.end) throw invalidArgument('end_time is before start_time; give a window of time.');
  return window;
}

function requireFew(entries: readonly unknown[], field: string, most: number): void {
  if (entries.length > most) throw invalidArgument(`${field} has ${entries.length} entries; it may have ${most}.`);
}
