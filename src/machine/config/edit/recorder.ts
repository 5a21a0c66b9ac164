import { findEntry, listEntries, runnableVision, type ConfigEntry } from '../parse/config-entries.ts';
import {
  capturedCamera,
  captureParameter,
  captureSetting,
  keepsPictures,
  visionCaptures,
  type VisionCapture,
} from './data-capture.ts';
import { readAttribute } from './edit-config.ts';
import { float32SafeThreshold } from '../parse/float32-threshold.ts';
import { isObject, parseDocument, type JsonDocument, type JsonObject } from '../json/json-document.ts';
import { sameJson } from '../json/json-patch.ts';
import { foldKey } from '../parse/parse-attributes.ts';
import { recordedCamera } from '../parse/upstream-cameras.ts';

/**
 * A recorder: a vision service that copies a tuned one with a low threshold, so that the machine keeps pictures and what
 * the model sees on them while the tuned service stays as it is. Its captures can later be filtered by any threshold above.
 */
export interface Recorder {
  readonly name: string;
  /** name of the service that it copies */
  readonly of: string;
  /** the first one of its service that records */
  readonly capture: VisionCapture;
  /** 0: it keeps everything, as a copy of a colour detector always does */
  readonly threshold: number;
  /** whether the machine drops every label that is not in its `label_confidences` */
  readonly keepsListedOnly: boolean;
  readonly rateHz: number;
  readonly camera: string;
}

/**
 * The additional parameter that names the copied service. The machine writes it into each capture, so that these tell what
 * they were recorded for.
 */
export const recorderParameter = 'recorder_of';

/**
 * Lists the recorders of a configuration, each service once.
 * @param document of any text
 * @returns in the order of the text
 * @example
 * import { parseDocument } from '../json/json-document.ts';
 * recorders(parseDocument('{"services": []}')); // => []
 */
export function recorders(document: JsonDocument): readonly Recorder[] {
  const found = new Map<ConfigEntry, Recorder>();
  for (const capture of visionCaptures(document)) {
    const { service } = capture;
    const of = captureParameter(capture, recorderParameter).value;
    if (typeof of !== 'string' || !keepsPictures(capture)) continue;
    if (found.has(service)) continue;
    found.set(service, {
      name: service.name,
      of,
      capture,
      threshold: lowestThreshold(service),
      keepsListedOnly: listedThresholds(service).length > 0,
      rateHz: numberOr0(captureSetting(capture, 'capture_frequency_hz').value),
      camera: capturedCamera(capture),
    });
  }
  return [...found.values()];
}

/**
 * Finds the recorder of a vision service.
 * @param document of the configuration
 * @param vision name of the service, or of the recorder itself
 * @returns the first one; null: there is none
 * @example
 * import { parseDocument } from '../json/json-document.ts';
 * recorderOf(parseDocument('{"services": []}'), 'detector'); // => null
 */
export function recorderOf(document: JsonDocument, vision: string): Recorder | null {
  const all = recorders(document);
  return all.find(({ name }) => name === vision) ?? all.find(({ of }) => of === vision) ?? null;
}

/** The service that a recorder copies; undefined: it is gone. */
export function copiedService(document: JsonDocument, { of }: Recorder): ConfigEntry | undefined {
  return findEntry(listEntries(document), of, ...runnableVision);
}

/** The lowest score that a vision service lets through for any label; 0: its filter is off. */
export function lowestThreshold(service: ConfigEntry): number {
  const listed = listedThresholds(service);
  const lowest = listed.length > 0 ? Math.min(...listed) : readAttribute(service, 'default_minimum_confidence');
  return Math.max(0, numberOr0(lowest));
}

function listedThresholds(service: ConfigEntry): readonly number[] {
  const listed = readAttribute(service, 'label_confidences');
  return isObject(listed) ? Object.values(listed).filter((value) => typeof value === 'number') : [];
}

export const usualThreshold = 0.05;

/** A threshold for the recorder of a service: below all thresholds of the service, 0 where one of these lets everything through. */
export function thresholdBelow(service: ConfigEntry): number {
  if (hasNoScores(service)) return 0;
  const lowest = lowestThreshold(service);
  return lowest > usualThreshold ? usualThreshold : float32SafeThreshold(lowest / 2);
}

/**
 * Tells services whose scores are always 1: no threshold changes what they say, and they read none.
 * @param entry a vision service
 * @returns whether it is a colour detector
 * @example
 * hasNoScores({ kind: 'color-detector' }); // => true
 */
export function hasNoScores({ kind }: ConfigEntry): boolean {
  return kind === 'color-detector';
}

/** The attributes of a recorder: all of the copied service's but its thresholds. */
export function copyOf(copied: ConfigEntry, threshold: number): JsonObject {
  const { attributes } = copied;
  if (hasNoScores(copied)) return attributes;
  const others = Object.entries(attributes).filter(([key]) => !isThreshold(key));
  return { ...Object.fromEntries(others), default_minimum_confidence: threshold };
}

/** The attributes in which a recorder differs from the service that it copies, thresholds aside. */
export function driftedKeys(copied: ConfigEntry, recorder: ConfigEntry): readonly string[] {
  const [before, now] = [foldedAttributes(copied), foldedAttributes(recorder)];
  const keys = [...new Set([...before.keys(), ...now.keys()])];
  return keys.filter((key) => !isThreshold(key) && !sameJson(before.get(key), now.get(key)));
}

/** By key in lower case, because the machine reads keys whatever their case, and without what is as good as missing. */
function foldedAttributes(entry: ConfigEntry): ReadonlyMap<string, unknown> {
  const keys = Object.keys(entry.attributes).map(foldKey);
  const read = keys.map((key): [string, unknown] => [key, readAttribute(entry, key)]);
  return new Map(read.filter(([, value]) => !isZeroValue(value)));
}

/** Whether the machine decodes a value as it does a missing key. */
function isZeroValue(value: unknown): boolean {
  if (isObject(value)) return Object.keys(value).length === 0;
  return Array.isArray(value) ? value.length === 0 : !value;
}

function isThreshold(key: string): boolean {
  return ['default_minimum_confidence', 'label_confidences'].includes(foldKey(key));
}

function numberOr0(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

export interface RecorderSettings {
  readonly name: string;
  /** 0..1 */
  readonly threshold: number;
  readonly rateHz: number;
  readonly camera: string;
}

/**
 * Proposes a recorder for a vision service.
 * @param text JSON of the machine configuration
 * @param vision name of the service
 * @param name that no resource has
 * @param camera whose frames are recorded, or those of the nearest one before it if it draws results on them or keeps only some
 * @returns once a second, with a threshold below those of the service; null: there is no such service
 * @example
 * const text = '{"services":[{"name":"v","api":"rdk:service:vision","model":"mlmodel","attributes":{}}]}';
 * usualRecorder(text, 'v', 'v-recorder', 'cam'); // => { name: 'v-recorder', threshold: 0, rateHz: 1, camera: 'cam' }
 */
export function usualRecorder(text: string, vision: string, name: string, camera: string): RecorderSettings | null {
  const entries = listEntries(parseDocument(text));
  const service = findEntry(entries, vision, ...runnableVision);
  return service
    ? { name, threshold: thresholdBelow(service), rateHz: 1, camera: recordedCamera(entries, camera) }
    : null;
}
