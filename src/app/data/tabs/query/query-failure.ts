import { Code, ConnectError } from '@connectrpc/connect';
import { errorWords } from '../../../kit/words/error-words.ts';
import { MqlTextError, type Span } from './mql-text.ts';

/** Why a query failed, and where in its text. */
export interface QueryFailure {
  readonly message: string;
  readonly cure: string;
  /** null if the error concerns the whole text or is not about the text */
  readonly span: Span | null;
  /** the answer is too large for one message, or was not there in time; its rows may still be saved as a file */
  readonly isTooLarge: boolean;
}

/**
 * Describes the error of a query and locates it: SQL errors name a line and a column, MQL errors a stage. Null for a
 * cancelled query.
 */
export function queryFailure(error: unknown, text: string, stageSpans: readonly Span[]): QueryFailure | null {
  if (error instanceof MqlTextError) return { message: error.message, cure: '', span: error.span, isTooLarge: false };
  const words = errorWords(error);
  if (!words) return null;
  const { code, rawMessage } = ConnectError.from(error);
  const span = spanIn(rawMessage, text, stageSpans);
  const isLimit = code === Code.ResourceExhausted || code === Code.DeadlineExceeded;
  if (!isLimit) return { ...words, span, isTooLarge: false };
  // Refused before it ran, as too many other queries wait: its answer is not what is too large.
  const isTooLarge = !rawMessage.endsWith('try again later.');
  const cure = isTooLarge ? 'Ask for less, or save all its rows as a file, which may be larger and take longer:' : '';
  return { message: words.message, cure, span, isTooLarge };
}

function spanIn(message: string, text: string, stageSpans: readonly Span[]): Span | null {
  const place = /\(line (\d+), column (\d+)\)/.exec(message);
  if (place) return wordAt(text, Number(place[1]), Number(place[2]));
  const stage = /^Stage (\d+)\b/.exec(message);
  const span = stage && stageSpans[Number(stage[1])];
  if (!span) return null;
  // Mark the operator that the message names, if the stage contains it; otherwise mark the whole stage.
  const name = /\$\w+/.exec(message.replace(/^Stage \d+ \(\$\w+\)/, ''))?.[0];
  const offset = name === undefined ? -1 : text.slice(span.from, span.to).indexOf(`"${name}"`);
  return offset < 0 ? span : { from: span.from + offset, to: span.from + offset + name!.length + 2 };
}

/** The range of the word at a line and a column (both count from 1), or of the character before it if none is there. */
function wordAt(text: string, line: number, column: number): Span {
  const lines = text.split('\n');
  const lineStart = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0);
  const from = Math.min(lineStart + column - 1, text.length);
  const word = /^[\w.]+|^\S/.exec(text.slice(from))?.[0].length ?? 0;
  return word > 0 ? { from, to: from + word } : { from: Math.max(0, from - 1), to: from };
}
