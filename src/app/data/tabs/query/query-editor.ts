import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  type CompletionSource,
} from '@codemirror/autocomplete';
import { history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { SQLDialect, sql } from '@codemirror/lang-sql';
import { setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { editorBasics } from '../../../kit/code/editor-basics.ts';
import type { DocumentColumn } from '../../shared/documents/document-columns.ts';
import type { Span } from './mql-text.ts';
import type { QueryLanguage } from './query-draft.ts';
import { mqlSuggestions, sqlSuggestions } from './query-suggestions.ts';

export interface QueryEditorEvents {
  onType(text: string): void;
  /** Ctrl+Enter or ⌘+Enter */
  onRun(): void;
  columns(): readonly DocumentColumn[];
  /** Resolves once `columns` is filled, or known to stay empty. */
  columnsRead(): Promise<void>;
}

export interface QueryEditor {
  /** Replaces the text, as when a saved query is opened. */
  show(text: string): void;
  /** Underlines the range of an error; null removes the underline. */
  mark(error: { readonly span: Span; readonly message: string } | null): void;
  /** Selects the range and scrolls to it. */
  reveal(span: Span): void;
  destroy(): void;
}

/** The keywords and functions of the service's SQL. Only these are highlighted. */
const dialect = SQLDialect.define({
  keywords:
    'select with from where group by having order limit offset distinct as and or not in between like is asc desc case when then else end cast safe_cast count sum avg min max coalesce date_trunc lower round upper',
  types: 'int64 integer float64 decimal numeric string bool timestamp datetime date',
  identifierQuotes: '`',
  backslashEscapes: true,
});

/** Creates an editor for one query language, with completion of the known columns. */
export function createQueryEditor(
  root: ShadowRoot,
  language: QueryLanguage,
  text: string,
  label: string,
  events: QueryEditorEvents,
): QueryEditor {
  const suggest = language === 'sql' ? sqlSuggestions : mqlSuggestions;

  function complete(context: CompletionContext, ofColumns: boolean): CompletionResult | null {
    const found = suggest(context.state.doc.toString(), context.pos, events.columns());
    if (!found || (!context.explicit && context.matchBefore(/["$\w`.]+/) === null)) return null;
    return {
      from: found.from,
      to: found.to,
      options: found.items
        .filter(({ isColumn = false }) => isColumn === ofColumns)
        .map(({ name, match, insert, detail }) => ({
          label: match,
          displayLabel: name,
          apply: insert,
          detail,
          boost: ofColumns ? 1 : 0,
        })),
    };
  }

  const words: CompletionSource = (context) => complete(context, false);
  // A second completion source: before the columns are read, the language's words are offered alone.
  const columns: CompletionSource = async (context) => {
    await events.columnsRead();
    return context.aborted ? null : complete(context, true);
  };

  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        language === 'sql' ? sql({ dialect }) : json(),
        autocompletion({ override: [words, columns], icons: false }),
        history(),
        editorBasics(label, [
          { key: 'Mod-Enter', run: () => (events.onRun(), true), preventDefault: true },
          ...historyKeymap,
        ]),
        EditorView.lineWrapping,
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (docChanged) events.onType(state.doc.toString());
        }),
      ],
    }),
  });

  return {
    show(wanted) {
      const shown = view.state.doc.toString();
      if (shown !== wanted) view.dispatch({ changes: { from: 0, to: shown.length, insert: wanted } });
    },
    mark(error) {
      const { length } = view.state.doc;
      const diagnostics = error
        ? [
            {
              from: Math.min(error.span.from, length),
              to: Math.min(error.span.to, length),
              severity: 'error' as const,
              message: error.message,
            },
          ]
        : [];
      view.dispatch(setDiagnostics(view.state, diagnostics));
    },
    reveal({ from, to }) {
      const { length } = view.state.doc;
      const selection = { anchor: Math.min(from, length), head: Math.min(to, length) };
      view.dispatch({ selection, effects: EditorView.scrollIntoView(selection.anchor, { y: 'center' }) });
      view.focus();
    },
    destroy: () => view.destroy(),
  };
}
