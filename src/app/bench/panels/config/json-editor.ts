import { autocompletion } from '@codemirror/autocomplete';
import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { json } from '@codemirror/lang-json';
import { setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { Annotation, EditorState, type ChangeSet } from '@codemirror/state';
import { EditorView, hoverTooltip, type Tooltip } from '@codemirror/view';
import type { Finding, LintFacts } from '../../../../machine/config/face/lint.ts';
import { editorBasics } from '../../../kit/code/editor-basics.ts';
import { textChanges } from '../../config/line-diff.ts';
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

/** An editor for the machine configuration. */
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
        json(),
        EditorView.lineWrapping,
        autocompletion({ override: [(context) => complete(context, events.facts())], icons: false }),
        hoverTooltip((shown, position) => describe(shown.state.doc.toString(), position)),
        // The bench undoes text and controls in one order, so the editor keeps no history of its own.
        editorBasics('Machine configuration, JSON', [
          { key: 'Mod-z', run: () => (events.onUndo(), true), preventDefault: true },
          { key: 'Mod-Shift-z', run: () => (events.onRedo(), true), preventDefault: true },
          { key: 'Mod-y', run: () => (events.onRedo(), true), preventDefault: true },
        ]),
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
