import { relative, sep } from 'node:path';
import type { Rule } from 'eslint';

type NodeOf<Type extends Rule.Node['type']> = Extract<Rule.Node, { readonly type: Type }>;

interface PartialWebApi {
  /** a global or a property; after a dot, a property of an object of that name */
  readonly name: string;
  /** what does without it */
  readonly lacking: string;
  /** what these files do then; none: it is not used */
  readonly secondWay?: string;
  readonly files?: readonly string[];
}

const media = 'src/platform/browser/media';
const files = 'src/platform/browser/files';
const chromiumAlone = 'Firefox and WebKit';

/**
 * Web APIs that one of Chromium, Firefox, WebKit and pages over plain http does without, and the files that use each with a second way.
 * Lists that are published (caniuse, Baseline) tell engines by version, and neither which page has it nor whether it is provided for.
 */
export const partialWebApis: readonly PartialWebApi[] = [
  {
    name: 'SharedArrayBuffer',
    lacking: 'WebKitGTK, and pages that are not isolated',
    secondWay: 'one thread, memory of its own',
    files: [
      'src/platform/browser/wasm/shares-memory.ts',
      'src/platform/kernel/kernel-memory.ts',
      'src/app/shell/AboutDialog.svelte',
    ],
  },
  {
    name: 'MediaStreamTrackProcessor',
    lacking: chromiumAlone,
    secondWay: 'a video element plays the track',
    files: [`${media}/media-track-frames.ts`],
  },
  {
    name: 'navigator.gpu',
    lacking: 'Firefox on Linux, WebKitGTK, and pages over plain http',
    secondWay: 'WASM, said in words',
    files: ['src/platform/browser/onnxruntime/onnxruntime.ts', 'src/platform/browser/webgpu/webgpu-device.ts'],
  },
  {
    name: 'navigator.locks',
    lacking: 'pages over plain http',
    secondWay: 'a lease in IndexedDB, or each tab for itself',
    files: [
      'src/platform/browser/outbox/send-once.ts',
      'src/platform/browser/locks/run-alone.ts',
      'src/platform/browser/locks/tick-in-one-tab.ts',
      'src/platform/browser/locks/hold-name.ts',
      'src/app/data/annotate/ImageEditor.svelte',
      'src/app/data/tabs/datasets/dataset-truth.ts',
      'src/app/data/tabs/outbox/capture-truth.ts',
      'workers/boundary/worker-life.ts',
    ],
  },
  {
    name: 'crypto.randomUUID',
    lacking: 'pages over plain http',
    secondWay: 'the page puts its own there when it starts',
    files: [
      'src/main.ts',
      'src/platform/browser/outbox/open-outbox.ts',
      'src/app/data/annotate/saving/task-box-store.ts',
      'src/app/data/annotate/editor-state.svelte.ts',
      'src/app/data/annotate/boxes/copies-state.svelte.ts',
      'src/app/data/annotate/review/predictions-state.svelte.ts',
    ],
  },
  {
    name: 'navigator.storage',
    lacking: 'WebKitGTK, and pages over plain http',
    secondWay: 'the room is not said',
    files: ['src/platform/browser/storage/storage-room-port.ts'],
  },
  {
    name: 'navigator.serviceWorker',
    lacking: 'pages over plain http',
    secondWay: 'the page is not kept offline',
    files: [
      'src/platform/browser/service-worker/service-worker.ts',
      'src/platform/browser/service-worker/link-trouble.ts',
      'src/platform/browser/outbox/background-sync.ts',
    ],
  },
  {
    name: 'navigator.mediaDevices',
    lacking: 'pages over plain http',
    secondWay: 'words that say how a camera is had',
    files: [`${media}/camera.ts`],
  },
  {
    name: 'ClipboardItem',
    lacking: 'pages over plain http',
    secondWay: 'the picture is saved as a file',
    files: ['src/app/bench/stage/take-stage-picture.ts'],
  },
  { name: 'showOpenFilePicker', lacking: chromiumAlone, secondWay: 'a file input', files: [`${files}/config-file.ts`] },
  {
    name: 'showSaveFilePicker',
    lacking: chromiumAlone,
    secondWay: 'a download',
    files: [`${files}/dataset-pickers.ts`],
  },
  { name: 'showDirectoryPicker', lacking: chromiumAlone, secondWay: 'a zip', files: [`${files}/dataset-folder.ts`] },
  {
    name: 'getAsFileSystemHandle',
    lacking: chromiumAlone,
    secondWay: 'a copy is kept',
    files: [`${files}/file-handles.ts`],
  },
  {
    name: 'VideoEncoder',
    lacking: 'WebKit before 16.4, and pages over plain http',
    secondWay: 'a zip of pictures',
    files: [`${media}/annotated-video.ts`, 'src/app/bench/footage/Outputs.svelte'],
  },
  { name: 'ImageDecoder', lacking: 'WebKit' },
  { name: 'requestIdleCallback', lacking: 'WebKit' },
  { name: 'scheduler.postTask', lacking: 'WebKit' },
  { name: 'scheduler.yield', lacking: 'WebKit' },
  { name: 'navigator.deviceMemory', lacking: chromiumAlone },
  { name: 'navigator.userAgentData', lacking: chromiumAlone },
  { name: 'navigator.connection', lacking: chromiumAlone },
  { name: 'navigator.keyboard', lacking: chromiumAlone },
  { name: 'performance.memory', lacking: chromiumAlone },
  { name: 'measureUserAgentSpecificMemory', lacking: chromiumAlone },
  { name: 'documentPictureInPicture', lacking: chromiumAlone },
  { name: 'launchQueue', lacking: chromiumAlone },
  { name: 'BarcodeDetector', lacking: 'Firefox' },
  { name: 'EyeDropper', lacking: chromiumAlone },
  { name: 'cookieStore', lacking: 'Firefox before 140' },
  { name: 'Temporal', lacking: 'WebKit' },
];

const byProperty = new Map(partialWebApis.map((api) => [api.name.split('.').at(-1)!, api]));

/** Refuses a Web API of this table where it is not provided for that a browser lacks it. */
export const noPartialWebApi: Rule.RuleModule = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const path = relative(context.cwd, context.filename).split(sep).join('/');
    const refuse = (node: Rule.Node, name: string, of: string | null): void => {
      const api = byProperty.get(name);
      if (!api || api.files?.includes(path)) return;
      const [owner, property] = api.name.split('.');
      if (property !== undefined && owner !== of) return;
      context.report({
        node,
        message: `${api.lacking} lack ${api.name}: use what there is everywhere, or add this file to partialWebApis with its second way and a test.`,
      });
    };
    return {
      MemberExpression({ object, property, computed }: NodeOf<'MemberExpression'>) {
        if (computed || property.type !== 'Identifier') return;
        const of =
          object.type === 'Identifier'
            ? object.name
            : object.type === 'MemberExpression' && object.property.type === 'Identifier'
              ? object.property.name
              : null;
        refuse(property as Rule.Node, property.name, of);
      },
      Identifier(node: NodeOf<'Identifier'>) {
        const { parent } = node;
        const isProperty =
          (parent.type === 'MemberExpression' && parent.property === node) || parent.type === 'Property';
        if (!isProperty) refuse(node, node.name, null);
      },
      'BinaryExpression[operator="in"] > Literal'(node: NodeOf<'Literal'>) {
        if (typeof node.value === 'string') refuse(node, node.value, null);
      },
    };
  },
};
