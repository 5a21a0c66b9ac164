import { Long, type Document } from 'bson';
import { MongoError } from './mongo-error.ts';

/** @throws MongoError TypeMismatch, as all here do for a field of another type */
export function textField(command: Document, field: string): string {
  const value: unknown = command[field];
  if (typeof value !== 'string') throw mismatch(field, 'a text');
  return value;
}

/** A whole number ≥ 0, null where it is absent. */
export function countField(command: Document, field: string): number | null {
  const value: unknown = command[field];
  if (value === undefined || value === null) return null;
  const number = Long.isLong(value) ? value.toNumber() : value;
  if (typeof number !== 'number') throw mismatch(field, 'a number');
  if (!Number.isSafeInteger(number) || number < 0) {
    throw new MongoError('BadValue', `${field} is ${number}; give a whole number that is not negative.`);
  }
  return number;
}

/** {} where it is absent. */
export function documentField(command: Document, field: string): Document {
  const value: unknown = command[field];
  if (value === undefined || value === null) return {};
  if (!isPlainDocument(value)) throw mismatch(field, 'a document');
  return value;
}

export function documentsField(command: Document, field: string): readonly Document[] {
  const value: unknown = command[field];
  if (!Array.isArray(value) || !value.every(isPlainDocument)) throw mismatch(field, 'an array of documents');
  return value as Document[];
}

/** Refuses options that would change the answer, unless they ask for nothing. @throws MongoError NotImplemented */
export function refuseOptions(command: Document, options: readonly string[]): void {
  const isIdle = (value: unknown): boolean => !value || (isPlainDocument(value) && Object.keys(value).length === 0);
  const asked = options.find((option) => !isIdle(command[option]));
  if (asked !== undefined) throw new MongoError('NotImplemented', `The option ${asked} is not supported here.`);
  const { locale } = documentField(command, 'collation');
  if (locale !== undefined && locale !== 'simple') {
    throw new MongoError('NotImplemented', 'Texts are compared byte by byte here; a collation is not supported.');
  }
}

/** Dates, object ids and the like are objects too, of classes of their own. */
const isPlainDocument = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

const mismatch = (field: string, wanted: string): MongoError =>
  new MongoError('TypeMismatch', `${field} must be ${wanted}.`);
