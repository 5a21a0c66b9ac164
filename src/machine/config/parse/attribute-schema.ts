import type { AttributeType } from './parse-attributes.ts';

/** What the editor says about one attribute, and what completion writes for it. */
export interface AttributeSchema {
  readonly key: string;
  readonly type: AttributeType;
  readonly required: boolean;
  /** what the machine takes when it is missing, in words */
  readonly absent: string;
  readonly doc: string;
  readonly minimum?: number;
  readonly maximum?: number;
  /** values worth offering; the first is what completion inserts */
  readonly examples: readonly unknown[];
}

/** The attributes of one kind of object. */
export interface ObjectSchema {
  readonly title: string;
  readonly attributes: readonly AttributeSchema[];
}
