import { closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, indentWithTab } from '@codemirror/commands';
import {
  bracketMatching,
  codeFolding,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language';
import { lintGutter, lintKeymap } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  ViewPlugin,
  type KeyBinding,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';

/**
 * What all code editors of the app share: gutters, brackets, search and the theme. Render editors in a shadow root:
 * CodeMirror then puts its styles into `adoptedStyleSheets`, which a Content-Security-Policy without inline styles
 * allows. `keys` take precedence over the default key bindings.
 */
export function editorBasics(label: string, keys: readonly KeyBinding[]): Extension {
  return [
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
    EditorState.tabSize.of(2),
    syntaxHighlighting(highlightStyle),
    keymap.of([
      ...keys,
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...searchKeymap,
      ...foldKeymap,
      ...lintKeymap,
      indentWithTab,
      ...defaultKeymap,
    ]),
    EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
    caretInSight,
    theme,
  ];
}

/** The line that is typed in stays in sight when the keyboard of a phone takes half of the window. */
const caretInSight = ViewPlugin.define((view) => {
  const scroll = (): void => {
    if (view.hasFocus) view.dispatch({ effects: EditorView.scrollIntoView(view.state.selection.main) });
  };
  addEventListener('resize', scroll);
  return { destroy: () => removeEventListener('resize', scroll) };
});

const highlightStyle = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--text)' },
  { tag: tags.keyword, color: 'var(--accent)', fontWeight: '600' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--accent)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--warn)' },
  { tag: [tags.lineComment, tags.blockComment], color: 'var(--text-3)' },
  { tag: [tags.separator, tags.squareBracket, tags.brace], color: 'var(--text-3)' },
]);

const theme = EditorView.theme({
  '&': { height: '100%', color: 'var(--text)', backgroundColor: 'var(--surface-2)', fontSize: 'var(--size-text)' },
  '@supports (-webkit-touch-callout: none)': { '&': { fontSize: '16px' } }, // as in theme.css
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--surface-1)', color: 'var(--text-3)', borderRight: '1px solid var(--line)' },
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
    fontSize: 'var(--size-text)',
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
