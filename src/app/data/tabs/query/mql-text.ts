import { EJSON, serialize, deserialize } from 'bson';
import { getNodeValue, parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser';
import { offsetBelow } from '../../../../machine/config/face/json.ts';

/** A range of a text, as character offsets; `to` is exclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The text is not an MQL pipeline. `span` is where. */
export class MqlTextError extends Error {
  override readonly name = 'MqlTextError';
  readonly span: Span;
  constructor(message: string, span: Span) {
    super(message);
    this.span = span;
  }
}

export interface MqlStages {
  /** each stage as a BSON document, the format of the service's requests */
  readonly stages: Uint8Array<ArrayBuffer>[];
  /** where each stage stands in the text */
  readonly spans: readonly Span[];
}

/** The service refuses documents that are nested deeper. */
export const maxMqlDepth = 100;

/**
 * Parses a pipeline: a JSON list of stages, or a single stage. Comments and trailing commas are allowed. Dates and other
 * BSON types are written as extended JSON ({"$date": …}).
 * @throws MqlTextError
 */
export function readMql(text: string): MqlStages {
  const all = { from: 0, to: text.length };
  if (text.trim() === '') throw new MqlTextError('The pipeline is empty; write a list of stages.', all);
  const deep = offsetBelow(text, maxMqlDepth);
  if (deep !== null)
    throw new MqlTextError(`The pipeline is nested deeper than ${maxMqlDepth} levels; nest less.`, {
      from: deep,
      to: deep + 1,
    });
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first) {
    const at = { from: Math.min(first.offset, text.length), to: Math.min(first.offset + first.length, text.length) };
    throw new MqlTextError(
      `This is not JSON: ${parseErrorWords[printParseErrorCode(first.error)] ?? 'cannot be read'}.`,
      at,
    );
  }
  if (!tree) throw new MqlTextError('There is nothing but comments; write a list of stages.', all);
  const nodes = tree.type === 'array' ? (tree.children ?? []) : [tree];
  return { stages: nodes.map(stageOf), spans: nodes.map(spanOf) };
}

function stageOf(node: Node): Uint8Array<ArrayBuffer> {
  if (node.type !== 'object')
    throw new MqlTextError('A stage is an object of one operator, like {"$limit": 10}.', spanOf(node));
  try {
    return new Uint8Array(serialize(EJSON.deserialize(getNodeValue(node) as object) as object));
  } catch (error) {
    throw new MqlTextError(`This stage cannot be sent: ${(error as Error).message}`, spanOf(node));
  }
}

const spanOf = ({ offset, length }: Node): Span => ({ from: offset, to: offset + length });

const parseErrorWords: Readonly<Record<string, string>> = {
  InvalidSymbol: 'this word is neither a text in double quotes nor a number',
  InvalidNumberFormat: 'this number cannot be read',
  PropertyNameExpected: 'a name in double quotes is expected',
  ValueExpected: 'a value is expected',
  ColonExpected: 'a colon is expected',
  CommaExpected: 'a comma is expected',
  CloseBraceExpected: 'a closing brace } is missing',
  CloseBracketExpected: 'a closing bracket ] is missing',
  EndOfFileExpected: 'there is something after the list of stages',
  UnexpectedEndOfString: 'this text has no closing quote',
  InvalidCharacter: 'this character is not allowed here',
};

/** The text of a stored pipeline, with each stage on one line if it fits. */
export function mqlText(stages: readonly Uint8Array[]): string {
  const written = stages.map((stage) => layOut(EJSON.serialize(deserialize(stage), { relaxed: true }), '  '));
  return written.length === 0 ? '[]' : `[\n${written.map((stage) => `  ${stage}`).join(',\n')}\n]`;
}

const lineLength = 88;

function layOut(value: unknown, indent: string): string {
  const line = inLine(value);
  if (line.length + indent.length <= lineLength || typeof value !== 'object' || value === null) return line;
  const inner = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((item) => layOut(item, inner))
    : Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${layOut(item, inner)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${indent}${close}`;
}

function inLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const parts = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${inLine(item)}`);
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
}
