import type { AttributeSchema, ObjectSchema } from './attribute-schema.ts';
import { isObject, type JsonObject } from '../json/json-document.ts';
import {
  joinAttributeErrors,
  parseAttributes,
  type AttributeError,
  type AttributeFields,
  type Attributes,
  type AttributeType,
} from './parse-attributes.ts';

/** The types of attributes that the form of a step has a field for. */
export type StepAttributeType = Extract<AttributeType, 'string' | 'bool' | 'int' | 'uint' | 'float64' | '[]string'>;

/** One attribute of a step: what the editor says about it, and its field in the step's form. */
export interface StepAttribute extends AttributeSchema {
  readonly type: StepAttributeType;
  /** the name of its field */
  readonly label: string;
  /** short text inside the field, before the value */
  readonly prefix?: string;
  readonly unit?: string;
  readonly placeholder?: string;
  readonly hint?: string;
  /** common values, each a button beside the field */
  readonly choices?: readonly { readonly value: number; readonly text: string }[];
  /** the value is the name of a vision service */
  readonly namesService?: true;
  /** the number that the machine takes for 0 */
  readonly zeroMeans?: number;
}

type Description = Omit<StepAttribute, 'key' | 'required'> & { readonly required?: boolean };
type Descriptions = Readonly<Record<string, Description>>;
type FieldsOf<D extends Descriptions> = { readonly [K in keyof D]: D[K]['type'] };
type ValuesOf<D extends Descriptions> = Attributes<FieldsOf<D>>;

/** The surroundings in which a step is added. */
export interface NewStepContext {
  /** size in pixels of the last picture on the frame's way */
  readonly widthPx: number;
  readonly heightPx: number;
  /** name of the tuned vision service, '' = none */
  readonly service: string;
}

/** What a vision service has to be for a step that draws its results. */
export type DrawnService = 'detector' | 'classifier';

interface StepDefinition<D extends Descriptions, A, S extends DrawnService | null> {
  readonly attributes: D;
  /** kind of the vision service whose results the step draws; absent: it draws nothing */
  readonly draws?: S;
  /** corrects the values where the machine reads this step's attributes in its own way */
  readonly readAs?: (values: ValuesOf<D>, raw: JsonObject) => ValuesOf<D>;
  /** why the machine refuses these values, '' = it takes them */
  readonly refusal?: (values: ValuesOf<D>) => string;
  readonly parse: (values: ValuesOf<D>) => A;
  /** one line of what the step does, with units */
  readonly summary: (values: ValuesOf<D>) => string;
  /** attributes of a new step: at once valid, and near to doing nothing where that is possible */
  readonly first: (context: NewStepContext) => Partial<ValuesOf<D>>;
  /** a sentence below the form */
  readonly note?: string;
}

/** A step as the frame path reads it. */
export interface ParsedStep<T extends string, A> {
  readonly type: T;
  readonly attributes: A;
}

/** Why the machine cannot build a step. `path` begins inside its attributes. */
export interface StepRefusal {
  readonly path: readonly (string | number)[];
  readonly code: string;
  readonly message: string;
}

/** All that the configuration's side knows of a type of step. */
export interface StepRecord<
  T extends string,
  F extends AttributeFields,
  A,
  S extends DrawnService | null,
> extends ObjectSchema {
  readonly type: T;
  /** kind of the vision service whose results the step draws; null: it only moves pixels */
  readonly draws: S;
  readonly fields: F;
  readonly attributes: readonly StepAttribute[];
  readonly attributeOf: { readonly [K in keyof F]: StepAttribute };
  readonly note: string;
  /** The attributes as the machine reads them; those that it cannot read have their zero value. */
  readonly read: (raw: unknown) => { readonly value: Attributes<F>; readonly errors: readonly AttributeError[] };
  readonly parse: (raw: unknown) => ParsedStep<T, A> | StepRefusal;
  readonly summary: (raw: unknown) => string;
  readonly first: (context: NewStepContext) => JsonObject;
}

/** Makes the record of a type of step: parsing, schema, words and form are read from it. */
export function defineStep<
  T extends string,
  const D extends Descriptions,
  A,
  const S extends DrawnService | null = null,
>(
  type: T,
  { attributes, draws, readAs, refusal, parse, summary, first, note = '' }: StepDefinition<D, A, S>,
): StepRecord<T, FieldsOf<D>, A, S> {
  const listed = Object.entries(attributes).map(([key, description]) => ({ key, required: false, ...description }));
  const fields = Object.fromEntries(listed.map(({ key, type }) => [key, type])) as FieldsOf<D>;
  const read = (raw: unknown) => {
    const { value, errors } = parseAttributes(raw, fields);
    return { value: readAs ? readAs(value, isObject(raw) ? raw : {}) : value, errors };
  };
  return {
    type,
    draws: (draws ?? null) as S,
    title: `${type} step`,
    fields,
    attributes: listed,
    attributeOf: Object.fromEntries(listed.map((attribute) => [attribute.key, attribute])) as Record<
      keyof D,
      StepAttribute
    >,
    note,
    read,
    parse(raw) {
      const { value, errors } = read(raw);
      if (errors.length > 0) {
        return { path: errors[0]?.path ?? [], code: 'bad-attributes', message: joinAttributeErrors(errors) };
      }
      const message = refusal?.(value) ?? '';
      return message === '' ? { type, attributes: parse(value) } : { path: [], code: `bad-${type}`, message };
    },
    summary: (raw) => summary(read(raw).value),
    first: (context) => first(context) as JsonObject,
  };
}
