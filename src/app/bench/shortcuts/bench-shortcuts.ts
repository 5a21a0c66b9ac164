import type { CaptureLoader } from '../capture/capture-loader.svelte.ts';
import type { SecondState } from '../comparison/second-state.svelte.ts';
import type { ConfigState } from '../config/config-state.svelte.ts';
import type { ProfileState } from '../profile/profile-state.svelte.ts';
import type { SessionState } from '../session/session-state.svelte.ts';
import type { SourcesState } from '../sources/sources-state.svelte.ts';
import type { StageViewport } from '../../kit/picture/stage-viewport.svelte.ts';
import type { Area, AreaRoute } from '../../areas/area-route.svelte.ts';
import type { ViewState } from '../view/view-state.svelte.ts';
import type { Shortcut } from '../../kit/keys/shortcut-registry.svelte.ts';

/** What the shortcuts act on. */
interface ShortcutTargets {
  readonly areas: AreaRoute;
  readonly captures: CaptureLoader;
  readonly config: ConfigState;
  readonly profile: ProfileState;
  readonly second: SecondState;
  readonly session: SessionState;
  readonly shelf: { closeQuestion(): boolean } | null;
  readonly sources: SourcesState;
  readonly view: ViewState;
  readonly viewport: StageViewport;
}

/** The areas in which thresholds are tuned. */
const tuning: readonly Area[] = ['bench', 'evaluate'];

/** The shortcuts of the whole window; panels register their own. */
export function benchShortcuts(targets: ShortcutTargets): readonly Shortcut[] {
  const { areas, captures, config, profile, second, session, sources, view, viewport } = targets;
  return [
    {
      chords: ['ArrowLeft', 'D'],
      does: 'Previous frame',
      group: 'Frames',
      repeats: true,
      run: () => void sources.move(-1),
    },
    {
      chords: ['ArrowRight', 'F'],
      does: 'Next frame',
      group: 'Frames',
      repeats: true,
      run: () => void sources.move(1),
    },
    { chords: ['Space'], does: 'Play or pause', group: 'Frames', run: () => void sources.togglePlay() },
    { chords: ['M'], does: 'Run the model on this frame again', group: 'Frames', run: () => void session.rerun() },
    { chords: ['K'], does: 'Capture the frame on the stage', group: 'Frames', run: () => void captures.keep() },
    {
      chords: ['Shift'],
      caps: ['Shift', 'held'],
      does: 'Hide the boxes',
      group: 'Stage',
      run: () => (view.overlayHidden = true),
      release: () => (view.overlayHidden = false),
    },
    { chords: ['G'], does: 'Show dropped boxes as ghosts', group: 'Stage', run: () => (view.ghosts = !view.ghosts) },
    {
      chords: ['T'],
      does: 'Draw a live machine’s boxes where they differ',
      group: 'Stage',
      run: () => (view.theirBoxes = !view.theirBoxes),
    },
    { chords: ['O'], does: 'Draw key points and masks', group: 'Stage', run: () => (view.details = !view.details) },
    {
      chords: ['V'],
      does: 'Compare with pinned thresholds or another service',
      group: 'Stage',
      run: () => second.toggle(),
    },
    {
      chords: ['L'],
      does: 'Draw the boxes as the machine does',
      group: 'Stage',
      run: () => (view.overlayStyle = view.overlayStyle === 'bench' ? 'machine' : 'bench'),
    },
    {
      chords: ['P'],
      does: 'Show where the time goes',
      group: 'Stage',
      enabled: () => session.current !== null,
      run: () => profile.open(),
    },
    { chords: ['Plus', '='], does: 'Zoom in', group: 'Stage', repeats: true, run: () => viewport.zoomIn() },
    { chords: ['-'], does: 'Zoom out', group: 'Stage', repeats: true, run: () => viewport.zoomOut() },
    { chords: ['0'], does: 'Fit the frame to the stage', group: 'Stage', run: () => viewport.fit() },
    {
      chords: ['Escape'],
      does: 'Close the tool or clear the selection',
      group: 'Stage',
      enabled: () => view.stageTool !== null || view.selectedRow !== null,
      run: () => {
        if (view.stageTool) view.stageTool = null;
        else view.selectedRow = null;
      },
    },
    {
      chords: ['Mod+Z'],
      does: 'Undo',
      group: 'Tuning',
      area: tuning,
      repeats: true,
      run: () => {
        if (!targets.shelf?.closeQuestion()) config.undo();
      },
    },
    {
      chords: ['Mod+Shift+Z', 'Mod+Y'],
      does: 'Redo',
      group: 'Tuning',
      area: tuning,
      repeats: true,
      run: () => config.redo(),
    },
    {
      chords: ['C'],
      does: 'Open or close the configuration',
      group: 'Window',
      run: () => (view.drawerOpen = !view.drawerOpen),
    },
    {
      chords: ['Q'],
      does: 'Show or hide source, model and transforms',
      group: 'Window',
      run: () => view.toggleSide('left'),
    },
    {
      chords: ['W'],
      does: 'Show or hide thresholds and results',
      group: 'Window',
      run: () => view.toggleSide('right'),
    },
    {
      chords: ['I'],
      does: 'Show or hide the figures below the stage',
      group: 'Window',
      run: () => (view.figures = !view.figures),
    },
    {
      chords: ['B'],
      does: 'To the next area: bench, data, evaluate',
      group: 'Window',
      area: 'both',
      run: () => areas.go(areas.href(areas.next)),
    },
    {
      chords: ['?'],
      does: 'List the shortcuts',
      group: 'Window',
      area: 'both',
      run: () => (view.shortcutsOpen = true),
    },
  ];
}
