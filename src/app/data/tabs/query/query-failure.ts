import { ConnectError } from '@connectrpc/connect';
import { errorWords } from '../../../kit/words/error-words.ts';
import { MqlTextError, type Span } from './mql-text.ts';

/** Why a query has no answer, and where in its text. */
export interface QueryFailure {
  readonly message: string;
  readonly cure: string;
  /** null where the whole is meant, or nothing of the text */
  readonly span: Span | null;
}

/**
 * What went wrong with a query, with its place: SQL errors name line and column, those of MQL the stage. Null for a query
 * that was cancelled.
 */
export function queryFailure(error: unknown, text: string, stageSpans: readonly Span[]): QueryFailure | null {
  if (error instanceof MqlTextError) return { message: error.message, cure: '', span: error.span };
  const words = errorWords(error);
  if (!words) return null;
  return { ...words, span: spanIn(ConnectError.from(error).rawMessage, text, stageSpans) };
}

function spanIn(message: string, text: string, stageSpans: readonly Span[]): Span | null {
  const place = /\(line (\d+), column (\d+)\)/.exec(message);
  if (place) return wordAt(text, Number(place[1]), Number(place[2]));
  const stage = /^Stage (\d+)\b/.exec(message);
  const span = stage && stageSpans[Number(stage[1])];
  if (!span) return null;
  // the operator that is named, where it stands in the stage; else the stage
  const name = /\$\w+/.exec(message.replace(/^Stage \d+ \(\$\w+\)/, ''))?.[0];
  const offset = name === undefined ? -1 : text.slice(span.from, span.to).indexOf(`"${name}"`);
  return offset < 0 ? span : { from: span.from + offset, to: span.from + offset + name!.length + 2 };
}

/** The word at a line and a column, both from 1; at least one character where there is one. */
function wordAt(text: string, line: number, column: number): Span {
  const lines = text.split('\n');
  const lineStart = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0);
  const from = Math.min(lineStart + column - 1, text.length);
  const word = /^[\w.]+|^\S/.exec(text.slice(from))?.[0].length ?? 0;
  return word > 0 ? { from, to: from + word } : { from: Math.max(0, from - 1), to: from };
}
