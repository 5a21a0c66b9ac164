import type {} from '@vitest/browser-playwright';
import { createRawSnippet, mount, unmount, type Component } from 'svelte';
import { afterEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import '../../src/app/theme.css';
import { KeySettings } from '../../src/app/data/annotate/keys/key-settings.svelte.ts';
import KeysDialog from '../../src/app/data/annotate/keys/KeysDialog.svelte';
import BenchFileDialog from '../../src/app/bench/capture/bench-file/BenchFileDialog.svelte';
import SelectionBar from '../../src/app/data/shared/bulk/SelectionBar.svelte';
import { deleteQuestionOf } from '../../src/app/data/shared/bulk/delete-question.svelte.ts';
import DeleteCapturesDialog from '../../src/app/data/shared/bulk/DeleteCapturesDialog.svelte';
import QuestionDialog from '../../src/app/data/shared/bulk/QuestionDialog.svelte';
import CopyAsCode from '../../src/app/kit/layout/CopyAsCode.svelte';
import RowsPreview from '../../src/app/data/shared/import/RowsPreview.svelte';
import AssignDialog from '../../src/app/data/shared/work/AssignDialog.svelte';
import RejectDialog from '../../src/app/data/annotate/review/RejectDialog.svelte';
import DeleteDialog from '../../src/app/data/tabs/datasets/DeleteDialog.svelte';
import NameDialog from '../../src/app/data/tabs/datasets/NameDialog.svelte';
import AddToDatasetDialog from '../../src/app/data/tabs/sequences/AddToDatasetDialog.svelte';
import SequenceDialog from '../../src/app/data/tabs/sequences/SequenceDialog.svelte';
import FailureDialog from '../../src/app/data/tabs/outbox/FailureDialog.svelte';
import TargetDatasetDialog from '../../src/app/data/tabs/outbox/TargetDatasetDialog.svelte';
import SessionEndedDialog from '../../src/app/data/shared/people/SessionEndedDialog.svelte';
import InviteDialog from '../../src/app/data/tabs/settings/people/InviteDialog.svelte';
import TargetDialog from '../../src/app/data/shared/host/TargetDialog.svelte';
import PipelineView from '../../src/app/data/tabs/pipelines/PipelineView.svelte';
import FootageDialog from '../../src/app/bench/footage/FootageDialog.svelte';
import FitDialog from '../../src/app/bench/fit/FitDialog.svelte';
import { GraphSession } from '../../src/app/bench/graph/graph-session.svelte.ts';
import GraphDialog from '../../src/app/bench/graph/GraphDialog.svelte';
import RecordDialog from '../../src/app/bench/recorder/RecordDialog.svelte';
import BorrowDialog from '../../src/app/bench/borrow/BorrowDialog.svelte';
import AccountMachineDialog from '../../src/app/bench/panels/sources/AccountMachineDialog.svelte';
import CameraDialog from '../../src/app/bench/machine-check/CameraDialog.svelte';
import ProofDialog from '../../src/app/bench/machine-check/ProofDialog.svelte';
import BackendsDialog from '../../src/app/bench/backends/BackendsDialog.svelte';
import ProfileDialog from '../../src/app/bench/profile/ProfileDialog.svelte';
import WriteBackDialog from '../../src/app/bench/write-back/WriteBackDialog.svelte';
import ShortcutsDialog from '../../src/app/bench/shortcuts/ShortcutsDialog.svelte';
import SolverDialog from '../../src/app/bench/solver/SolverDialog.svelte';
import CertificateDialog from '../../src/app/evaluate/choose/CertificateDialog.svelte';
import AboutDialog from '../../src/app/shell/AboutDialog.svelte';
import { FrameTimes, type FrameStatistics } from '../../src/models/profile/frame-times.ts';
import { memoryStorage } from '../memory-storage.ts';

/** A port whose calls never resolve. */
const unanswered = (): unknown => new Proxy({}, { get: () => () => new Promise(() => undefined) });
const silent = { data: unanswered(), pipelines: unanswered(), place: { href: () => '' }, home: {}, refusal: () => '' };

const done: unknown[] = [];
const note =
  (what: string) =>
  (...given: readonly unknown[]): void =>
    void done.push([what, ...given.map((one) => (typeof one === 'function' ? (one as () => unknown)() : one))]);
const onClose = note('closed');

const table = { columns: ['celsius'], timeColumns: [], rows: [{ celsius: 20 }] };
const edits = {
  running: null,
  outcome: null,
  run: (edit: { doing: string }) => (note('edited')(edit.doing), Promise.resolve(true)),
};
const options = { tags: [], datasets: [{ id: 'd', name: 'Cups' }], readTags: note('read'), readDatasets: note('read') };
const bar = {
  context: silent,
  edits,
  options,
  count: 2,
  noun: 'images',
  selected: () => ({ count: 2, ids: ['a', 'b'] }),
  onDelete: note('delete'),
  onClear: note('clear'),
  onChanged: () => undefined,
};
const config = { unreadable: null };
const bench = {
  config,
  view: {},
  shortcuts: { shortcuts: [] },
  session: { current: null, capabilities: null },
  models: { stored: [] },
  captures: { opened: null, benchDialog: { file: null, captureIds: null }, open: () => new Promise(() => undefined) },
};
const alwaysOpen = {
  get shortcutsOpen() {
    return true;
  },
  set shortcutsOpen(open: boolean) {
    note('closed')(open);
  },
};
const pipeline = { id: 'p', name: 'hourly', enabled: false, schedule: '0 * * * *', mqlBinary: [] };
const fitting = {
  source: { fileName: 'net.onnx' },
  families: [{ id: 'yolox', name: 'YOLOX' }],
  family: 'yolox',
  sidePx: null,
  labelChoice: 'model',
  hasOwnLabels: false,
  benchLabels: null,
  labelFile: null,
  phase: { kind: 'working', progress: null },
  report: null,
};
const deleting = { ...silent, captures: {}, server: null, announce: note('said') };
Object.defineProperties(deleteQuestionOf(deleting as never), {
  asked: { value: { ids: new Set(['a', 'b']), noun: 'images', captureIds: new Map([['a', 'c']]) } },
  answer: { value: onClose },
});
const noWords = createRawSnippet(() => ({ render: () => '<span></span>' }));
const failed = { content: { kind: 'capture', fileName: 'a.jpg' }, failures: 1, state: 'failed', lastFailure: null };

/** statistics of one frame */
function seenOnce(): FrameStatistics | null {
  const times = new FrameTimes();
  const inWorker = { decodeMs: 1, transformMs: 1, preprocessMs: 1, modelWaitMs: 1, inferenceMs: 1 };
  const marks = { offeredAtMs: 0, givenAtMs: 0, answeredAtMs: 9 };
  times.answered({ ...inWorker, postprocessMs: 1, pictureMs: 1 }, marks);
  return times.statistics();
}

interface Shown {
  readonly file: string;
  readonly component: unknown;
  readonly props: object;
  /** the button that opens it, if it is not open at first */
  readonly opener?: string;
  /** the element that has the focus first */
  readonly first: string | RegExp;
  /** the result of typing a word there and pressing Enter; absent if the first element is not a text field */
  readonly enter?: unknown;
}

const dialogs: readonly Shown[] = [
  {
    file: 'KeysDialog',
    component: KeysDialog,
    props: { keys: new KeySettings(memoryStorage()), onClose },
    first: /Change$/,
  },
  {
    file: 'BenchFileDialog',
    component: BenchFileDialog,
    props: { bench },
    first: /The frame on the stage|All captures|Include the model/,
  },
  ...(['Tag …', 'Untag …'] as const).map((opener) => ({
    file: 'SelectionBar',
    component: SelectionBar,
    props: bar,
    opener,
    first: 'Tags',
    enter: ['edited', opener === 'Tag …' ? 'Tagging “cup”' : 'Taking off “cup”'],
  })),
  ...(['Add to dataset …', 'Remove from dataset …'] as const).map((opener) => ({
    file: 'SelectionBar',
    component: SelectionBar,
    props: bar,
    opener,
    first: 'Dataset',
  })),
  { file: 'DeleteCapturesDialog', component: DeleteCapturesDialog, first: 'Cancel', props: { context: deleting } },
  {
    file: 'AssignDialog',
    component: AssignDialog,
    props: {
      context: { ...silent, transport: unanswered() },
      images: { kind: 'dataset', datasetId: 'd', count: 3 },
      onClose,
    },
    first: /^This browser/,
  },
  {
    file: 'RejectDialog',
    component: RejectDialog,
    props: { open: true, author: 'Ada', comments: 0, failure: null, onReject: note('sent back'), onClose },
    first: 'What to fix',
    enter: ['sent back', 'cup'],
  },
  {
    file: 'CopyAsCode',
    component: CopyAsCode,
    first: 'Python',
    props: {
      open: true,
      title: 'Code',
      languages: [{ value: 'py', text: 'Python' }],
      codeOf: () => 'pass',
      needs: 'A key.',
      announce: note('said'),
      onClose,
    },
  },
  {
    file: 'RowsPreview',
    component: RowsPreview,
    first: 'Component name',
    props: {
      intake: { askedCount: 1, answer: note('answered') },
      asked: { file: new File([], 'oven.csv'), table, trouble: '' },
    },
    enter: ['answered', { table, componentName: 'cup', timeColumn: '', tags: [] }],
  },
  {
    file: 'DeleteDialog',
    component: DeleteDialog,
    first: 'Cancel',
    props: { datasets: [{ id: 'd', name: 'Cups' }], onDelete: note('deleted'), onClose },
  },
  {
    file: 'NameDialog',
    component: NameDialog,
    first: 'Name',
    enter: ['named', 'cup'],
    props: { open: true, title: 'Name', name: 'saucer', action: 'Rename', onName: note('named'), onClose },
  },
  {
    file: 'AddToDatasetDialog',
    component: AddToDatasetDialog,
    first: 'Dataset',
    props: { list: { datasets: [], addTo: note('added') }, sequenceId: 's', open: true, onClose },
  },
  {
    file: 'QuestionDialog',
    component: QuestionDialog,
    first: 'Cancel',
    props: { title: 'Delete?', open: true, onDelete: note('deleted'), onClose, children: noWords },
  },
  {
    file: 'SequenceDialog',
    component: SequenceDialog,
    first: 'Part',
    props: { context: silent, open: true, before: null, onSaved: note('saved'), onClose },
  },
  {
    file: 'BorrowDialog',
    component: BorrowDialog,
    first: 'Cancel',
    props: {
      bench: {
        config,
        borrowing: { refuse: onClose },
        sources: { machine: { host: 'robot:8080', url: 'http://robot:8080' } },
      },
      offer: { name: 'm', metadata: null, fault: '' },
    },
  },
  {
    file: 'CameraDialog',
    component: CameraDialog,
    first: 'Transform camera to compare',
    props: {
      bench: { sources: { machine: { host: 'robot:8080' } } },
      check: { cameras: [{ name: 'tuned' }], camera: { name: 'tuned' }, checked: null, close: onClose },
    },
  },
  {
    file: 'ProofDialog',
    component: ProofDialog,
    props: {
      bench: { sources: { machine: { visionName: 'v', cameraName: 'cam', host: 'robot:8080' } } },
      proof: { frames: 1000, isRunning: false, proof: null, fault: null, way: null, close: onClose },
    },
    first: 'Frames to compare',
  },
  {
    file: 'WriteBackDialog',
    component: WriteBackDialog,
    props: {
      bench: {
        writeBack: { state: { canOpenFiles: true, watched: null, account: {}, journal: [] }, close: onClose },
        config: { findings: [] },
        sources: { machine: { machine: null } },
      },
    },
    first: 'A file',
  },
  {
    file: 'WriteBackDialog',
    component: WriteBackDialog,
    props: {
      bench: {
        writeBack: {
          state: {
            canOpenFiles: false,
            watched: null,
            account: { keyId: 'id', connect: note('logged in') },
            journal: [],
          },
          close: onClose,
        },
        config: { findings: [] },
        sources: { machine: { machine: null } },
      },
    },
    first: 'Address of the account service',
    enter: ['logged in'],
  },
  {
    file: 'AccountMachineDialog',
    component: AccountMachineDialog,
    props: {
      bench: { writeBack: { state: { account: { keyId: 'id', connect: note('logged in') } } } },
      onChosen: note('chosen'),
      onClose,
    },
    first: 'Address of the account service',
    enter: ['logged in'],
  },
  {
    file: 'FailureDialog',
    component: FailureDialog,
    first: 'Try again now',
    props: {
      entry: failed,
      targetName: 'Yard',
      nowMs: 0,
      onRetry: note('retried'),
      onExport: note('exported'),
      onClose,
    },
  },
  {
    file: 'TargetDatasetDialog',
    component: TargetDatasetDialog,
    first: 'Search the datasets, or name a new one',
    props: {
      host: { connectServer: () => new Promise(() => undefined) },
      hosts: { organizationOf: () => null },
      target: { id: 'yard', name: 'Yard' },
      chosen: null,
      onChosen: note('chosen'),
      onClose,
    },
  },
  {
    file: 'TargetDialog',
    component: TargetDialog,
    first: 'Address',
    props: { host: silent, onAdded: note('added'), onClose },
  },
  {
    file: 'InviteDialog',
    component: InviteDialog,
    first: 'Name',
    props: {
      context: silent,
      list: { places: [], partsOf: async () => [], invite: note('invited') },
      origin: 'https://acme.test',
      onClose,
    },
    enter: ['invited', { name: 'cup', email: '', role: 'annotator', partId: '' }],
  },
  {
    file: 'SessionEndedDialog',
    component: SessionEndedDialog,
    first: 'Log in with a passkey',
    props: {
      choice: { host: { who: { personName: 'Ada', organizationName: 'Acme' } }, retry: onClose },
      session: { who: null, ways: { hasPasskeys: true, providerName: '' } },
    },
  },
  {
    file: 'PipelineView',
    component: PipelineView,
    opener: 'Delete',
    first: 'Keep it',
    props: { context: silent, pipeline, onChanged: note('changed'), onDeleted: note('deleted') },
  },
  {
    file: 'FitDialog',
    component: FitDialog,
    first: 'Kind of model',
    props: { bench: { config, fit: { close: onClose } }, session: fitting },
  },
  {
    file: 'GraphDialog',
    component: GraphDialog,
    first: 'Output that is traced',
    props: {
      bench: { graph: { close: onClose } },
      session: new GraphSession('net.onnx', { show: () => new Promise(() => undefined), end: () => undefined }),
    },
  },
  {
    file: 'SolverDialog',
    component: SolverDialog,
    first: 'I am not sure',
    props: { bench: {}, solver: { close: onClose, symptom: 'unsure', found: null, progress: 0.5, fault: '' } },
  },
  {
    file: 'BackendsDialog',
    component: BackendsDialog,
    first: 'Close',
    props: {
      bench: {
        view: {
          set backendsOpen(_: boolean) {
            onClose();
          },
        },
        config: { service: null },
        models: { of: () => null, stored: [] },
        session: { capabilities: null },
        sources: { title: 'Webcam' },
      },
    },
  },
  {
    file: 'ProfileDialog',
    component: ProfileDialog,
    first: 'Export as JSON',
    props: {
      bench: {
        profile: {
          statistics: seenOnce(),
          operators: { progress: null, foundOf: () => null, fault: '' },
          refresh: () => undefined,
          close: onClose,
          packsOn: 'cpu',
        },
        models: { of: () => null },
        sources: { title: 'Webcam' },
        session: { current: null },
      },
    },
  },
  {
    file: 'ShortcutsDialog',
    component: ShortcutsDialog,
    props: { bench: { ...bench, view: alwaysOpen } },
    first: 'Search the documentation',
  },
  {
    file: 'FootageDialog',
    component: FootageDialog,
    props: {
      bench: {
        footage: { shown: 'a.mp4', session: null, show: onClose },
        thresholds: { hasClasses: true },
        sources: { kind: 'stills', video: { file: null, video: null }, stills: { own: [], showsSamples: true } },
        models: { loading: false },
      },
    },
    first: 'Close',
  },
  {
    file: 'CertificateDialog',
    component: CertificateDialog,
    props: {
      certifying: {
        form: { figure: 'recall', label: null, atLeast: 0.95, confidence: 0.9, validDays: 0, isSetElsewhere: false },
        made: { certificate: null, refused: ['The evaluation is of another set.'] },
        chosenHere: [],
        hasOthers: false,
        canSign: false,
        failure: null,
        isBusy: false,
        set: note('set'),
      },
      labels: ['cup'],
      onClose,
    },
    first: 'Figure',
  },
  {
    file: 'RecordDialog',
    component: RecordDialog,
    props: { bench: { ...bench, config: { parsed: { entries: [] }, visionName: null, cameraNames: [] } } },
    first: 'Cancel',
  },
  { file: 'AboutDialog', component: AboutDialog, props: { bench }, first: /./ },
];

let close: () => void = () => undefined;
afterEach(() => close());

const dialog = (): HTMLDialogElement | undefined => [...document.querySelectorAll('dialog')].find(({ open }) => open);
const nameOf = (element: Element): string =>
  element.getAttribute('aria-label') ?? element.closest('label')?.textContent.trim() ?? element.textContent.trim();

async function show({ component, props, opener }: Shown): Promise<void> {
  done.length = 0;
  const target = document.createElement('div');
  document.body.replaceChildren(target);
  const shown = mount(component as Component<Record<string, unknown>>, { target, props: { ...props } });
  close = () => void unmount(shown);
  if (opener) await userEvent.click(page.getByRole('button', { name: opener, exact: true }));
  await expect.poll(dialog).toBeTruthy();
}

describe('a dialog', () => {
  it('is one of these, or this test knows too few', () => {
    const sources = import.meta.glob<string>('../../src/app/**/*.svelte', {
      query: '?raw',
      import: 'default',
      eager: true,
    });
    const found = Object.entries(sources).filter(
      ([path, source]) => /<dialog\b|<Dialog\b/.test(source) || path.endsWith('Dialog.svelte'),
    );
    const files = found.map(([path]) => path.slice(path.lastIndexOf('/') + 1, -'.svelte'.length));
    expect(files.toSorted()).toEqual([...new Set(['Dialog', ...dialogs.map(({ file }) => file)])].toSorted());
  });

  describe.each(dialogs)('$file $opener', (shown) => {
    it('begins at its first field', async () => {
      await show(shown);
      const focused = document.activeElement!;
      expect(nameOf(focused)).toMatch(shown.first);
      const fields = [...dialog()!.querySelectorAll('input:not([hidden]), select, textarea')];
      if (fields.length > 0 && !(focused instanceof HTMLInputElement && focused.type === 'radio'))
        expect(focused).toBe(fields.find((field) => !field.matches(':disabled')));
    });

    it('is left by Esc where nothing was entered', async () => {
      await show(shown);
      const opened = dialog()!;
      let within: boolean | null = null;
      new MutationObserver(() => (within = opened.contains(document.activeElement))).observe(opened, {
        attributeFilter: ['open'],
      });
      await userEvent.keyboard('{Escape}');
      await expect.poll(dialog).toBe(undefined);
      await expect.poll(() => within).toBe(false); // the next key is not typed into it
    });

    it('asks at Esc, and at ×, where a text would be lost', async () => {
      await show(shown);
      const field = document.activeElement!;
      if (!(field instanceof HTMLInputElement) || ['radio', 'checkbox', 'search'].includes(field.type)) return;
      await userEvent.keyboard('cup{Escape}');
      const asked = page.getByRole('alertdialog', { name: 'Leave?' });
      await expect.element(asked).toBeVisible();
      expect(document.activeElement!.textContent.trim()).toBe('Go on');
      await userEvent.keyboard('{Enter}');
      await expect.poll(() => document.activeElement).toBe(field);
      const kept = [...dialog()!.querySelectorAll('input'), ...dialog()!.querySelectorAll('.token')];
      expect(kept.map((one) => (one instanceof HTMLInputElement ? one.value : one.textContent.trim()))).toContain(
        'cup',
      );
      await userEvent.click(page.getByRole('button', { name: 'Close' }));
      await expect.element(asked).toBeVisible();
      await userEvent.click(asked.getByRole('button', { name: 'Leave without it' }));
      await expect.poll(dialog).toBe(undefined);
    });

    it.runIf(shown.enter)('takes what is typed at Enter', async () => {
      await show(shown);
      await userEvent.keyboard('cup{Enter}');
      await expect.poll(() => done).toContainEqual(shown.enter);
    });
  });

  it('asks for what was chosen, too, and takes what is typed and not added', async () => {
    const tags = dialogs.find(({ opener }) => opener === 'Tag …')!;
    await show(tags);
    await userEvent.keyboard('cup,{Escape}');
    await expect.element(page.getByRole('alertdialog', { name: 'Leave?' })).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await userEvent.keyboard('red plate');
    await userEvent.click(page.getByRole('button', { name: 'Tag', exact: true }));
    await expect.poll(() => done).toContainEqual(['edited', 'Tagging “cup”, “red plate”']);
    await expect.poll(dialog).toBe(undefined);
  });
});
