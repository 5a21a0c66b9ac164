import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { defaultKeymap, indentWithTab } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import {
  bracketMatching,
  codeFolding,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { Annotation, EditorState, type ChangeSet } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  hoverTooltip,
  keymap,
  lineNumbers,
  type Tooltip,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { Finding, LintFacts } from '../../config/lint/finding.ts';
import { textChanges } from './line-diff.ts';
import { describeAt, suggestionsAt } from './suggestions.ts';

export interface JsonEditorEvents {
  /** The text as typed, after every change. */
  onType(text: string): void;
  /** A pasted text took the place of the whole one. */
  onReplaceAll(text: string): void;
  /** Typing paused, or the focus left. */
  onSettle(): void;
  onUndo(): void;
  onRedo(): void;
  onFix(finding: Finding): void;
  facts(): LintFacts;
}

export interface JsonEditor {
  /** Shows a text that was changed elsewhere: only what differs is replaced, so the cursor stays. */
  show(text: string): void;
  /** Marks findings; ignored while they belong to another text than the one shown. */
  mark(findings: readonly Finding[], ofText: string): void;
  reveal(offset: number, length: number): void;
  destroy(): void;
}

const fromOutside = Annotation.define<boolean>();
const SETTLE_AFTER_MS = 700;

/**
 * An editor for the machine configuration, drawn into a shadow root: there CodeMirror keeps its styles in
 * `adoptedStyleSheets`, which a Content-Security-Policy without inline styles allows.
 */
export function createJsonEditor(root: ShadowRoot, text: string, events: JsonEditorEvents): JsonEditor {
  let settling: ReturnType<typeof setTimeout> | undefined;
  const settle = (): void => {
    clearTimeout(settling);
    events.onSettle();
  };
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        foldGutter(),
        lintGutter(),
        codeFolding(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        drawSelection(),
        indentOnInput(),
        bracketMatching(),
        closeBrackets(),
        highlightSelectionMatches(),
        json(),
        EditorState.tabSize.of(2),
        syntaxHighlighting(highlightStyle),
        autocompletion({ override: [(context) => complete(context, events.facts())], icons: false }),
        hoverTooltip((shown, position) => describe(shown.state.doc.toString(), position)),
        // The bench undoes text and controls in one order, so the editor keeps no history of its own.
        keymap.of([
          { key: 'Mod-z', run: () => (events.onUndo(), true), preventDefault: true },
          { key: 'Mod-Shift-z', run: () => (events.onRedo(), true), preventDefault: true },
          { key: 'Mod-y', run: () => (events.onRedo(), true), preventDefault: true },
          ...closeBracketsKeymap,
          ...completionKeymap,
          ...searchKeymap,
          ...foldKeymap,
          ...lintKeymap,
          indentWithTab,
          ...defaultKeymap,
        ]),
        EditorView.contentAttributes.of({ 'aria-label': 'Machine configuration, JSON', tabindex: '0' }),
        EditorView.domEventHandlers({ blur: settle }),
        EditorView.updateListener.of((update) => {
          if (!update.docChanged || update.transactions.some((change) => change.annotation(fromOutside))) return;
          const typed = update.state.doc.toString();
          const pastedOver = update.transactions.some((change) => change.isUserEvent('input.paste'));
          if (pastedOver && replacesAll(update.changes)) events.onReplaceAll(typed);
          else events.onType(typed);
          clearTimeout(settling);
          settling = setTimeout(settle, SETTLE_AFTER_MS);
        }),
        theme,
      ],
    }),
  });

  return {
    show(wanted) {
      const shown = view.state.doc.toString();
      if (shown === wanted) return;
      // The document counts every line break as one character.
      const changes = [...textChanges(shown, wanted.replaceAll('\r\n', '\n'))];
      view.dispatch({ changes, annotations: fromOutside.of(true) });
    },
    mark(findings, ofText) {
      if (view.state.doc.toString() !== ofText) return;
      view.dispatch(
        setDiagnostics(
          view.state,
          findings.map((finding) => diagnosticOf(finding, events)),
        ),
      );
    },
    reveal(offset, length) {
      const end = Math.min(offset + length, view.state.doc.length);
      view.dispatch({
        selection: { anchor: Math.min(offset, end), head: end },
        effects: EditorView.scrollIntoView(Math.min(offset, end), { y: 'center' }),
      });
      view.focus();
    },
    destroy() {
      settle();
      view.destroy();
    },
  };
}

function replacesAll(changes: ChangeSet): boolean {
  let all = false;
  changes.iterChanges((from, to) => (all = from === 0 && to === changes.length && to > 0));
  return all;
}

function complete(context: CompletionContext, facts: LintFacts): CompletionResult | null {
  const found = suggestionsAt(context.state.doc.toString(), context.pos, facts);
  const typing = context.matchBefore(/["\w]+/) !== null;
  if (!found || (!context.explicit && !typing)) return null;
  return {
    from: found.from,
    to: found.to,
    options: found.items.map(({ name, insert, detail, doc }): Completion => ({
      // Compared with what is typed, quote included.
      label: `"${name}"`,
      displayLabel: name,
      apply: insert,
      detail,
      ...(doc && { info: doc }),
    })),
  };
}

function describe(text: string, position: number): Tooltip | null {
  const found = describeAt(text, position);
  if (!found) return null;
  const { schema, from, to } = found;
  return {
    pos: from,
    end: to,
    above: true,
    create: () => {
      const dom = document.createElement('div');
      dom.className = 'cm-description';
      const name = document.createElement('strong');
      name.textContent = schema.key;
      const type = document.createElement('em');
      type.textContent = schema.type;
      const doc = document.createElement('p');
      doc.textContent = schema.doc;
      const absent = document.createElement('p');
      absent.textContent = `Absent: ${schema.absent}.`;
      dom.append(name, ' ', type, doc, absent);
      return { dom };
    },
  };
}

function diagnosticOf(finding: Finding, events: JsonEditorEvents): Diagnostic {
  const { offset, length, severity, message, fix } = finding;
  return {
    from: offset,
    to: offset + length,
    severity,
    message,
    actions: fix ? [{ name: fix.title, apply: () => events.onFix(finding) }] : [],
  };
}

const highlightStyle = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--text)' },
  { tag: tags.string, color: 'var(--accent)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--warn)' },
  { tag: [tags.separator, tags.squareBracket, tags.brace], color: 'var(--text-3)' },
]);

const theme = EditorView.theme({
  '&': { height: '100%', color: 'var(--text)', backgroundColor: 'var(--surface-2)', fontSize: 'var(--size-2)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': {
    backgroundColor: 'var(--surface-1)',
    color: 'var(--text-3)',
    borderRight: '1px solid var(--line)',
  },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'color-mix(in srgb, var(--surface-3) 55%, transparent)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': { background: 'var(--accent-soft) !important' },
  '.cm-selectionMatch': { backgroundColor: 'var(--warn-soft)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--surface-4)' },
  '.cm-foldPlaceholder': { background: 'var(--surface-3)', border: '0', color: 'var(--text-2)', padding: '0 4px' },
  '.cm-gutter-lint': { width: '14px' },
  '.cm-gutter-lint .cm-gutterElement': { padding: '3px 0 0 2px' },
  '.cm-lint-marker': { width: '8px', height: '8px', borderRadius: '50%', content: '""', marginTop: '2px' },
  '.cm-lint-marker-error': { background: 'var(--error)' },
  '.cm-lint-marker-warning': { background: 'var(--warn)' },
  '.cm-lint-marker-info': { background: 'var(--text-3)' },
  '.cm-lintRange': { backgroundImage: 'none', textDecoration: 'underline wavy 1px', textUnderlineOffset: '3px' },
  '.cm-lintRange-error': { textDecorationColor: 'var(--error)' },
  '.cm-lintRange-warning': { textDecorationColor: 'var(--warn)' },
  '.cm-lintRange-info': { textDecorationColor: 'var(--text-3)' },
  '.cm-tooltip': {
    border: '1px solid var(--line)',
    borderRadius: 'var(--radius)',
    background: 'var(--surface-raised)',
    color: 'var(--text)',
    boxShadow: 'var(--shadow)',
    fontFamily: 'var(--font)',
    fontSize: 'var(--size-2)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', maxHeight: '14em' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '2px 8px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { background: 'var(--accent-soft)', color: 'var(--text)' },
  '.cm-completionDetail': { color: 'var(--text-3)', fontStyle: 'normal', marginLeft: '1em' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
  '.cm-tooltip.cm-completionInfo': { padding: '6px 8px', maxWidth: '300px' },
  '.cm-description': { padding: '6px 8px', maxWidth: '340px' },
  '.cm-description em': { color: 'var(--text-3)', fontStyle: 'normal' },
  '.cm-description p': { margin: '2px 0 0', color: 'var(--text-2)' },
  '.cm-diagnostic': { padding: '6px 8px', maxWidth: '380px', borderLeftWidth: '3px' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--error)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--warn)' },
  '.cm-diagnostic-info': { borderLeftColor: 'var(--text-3)' },
  '.cm-diagnosticAction': {
    display: 'block',
    margin: '4px 0 0',
    padding: '2px 8px',
    borderRadius: 'var(--radius)',
    background: 'var(--accent)',
    color: 'var(--text-on-accent)',
    font: 'inherit',
    cursor: 'pointer',
  },
  '.cm-panels': {
    background: 'var(--surface-1)',
    color: 'var(--text)',
    fontFamily: 'var(--font)',
    borderColor: 'var(--line)',
  },
  '.cm-textfield': {
    background: 'var(--surface-2)',
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--radius)',
  },
  '.cm-button': { background: 'var(--surface-2)', border: '1px solid var(--line-strong)' },
});
