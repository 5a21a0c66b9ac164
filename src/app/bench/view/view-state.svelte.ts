import type { Snippet } from 'svelte';
import type { StageViewport } from '../../kit/picture/stage-viewport.svelte.ts';
import { recall, remember, type MemoryPort } from '../../kit/memory/remembered.ts';

export type Theme = 'auto' | 'light' | 'dark';
export type OverlayStyle = 'bench' | 'machine';
export type PhoneTab = 'source' | 'transforms' | 'thresholds' | 'results' | 'captures' | 'config';
export type SourceTab = 'files' | 'camera' | 'machine' | 'url';
export type ConfigPane = 'edit' | 'export';
export type ExportForm = 'whole' | 'changed' | 'patch';
/** The panels beside the stage: source, model and transforms on the left, thresholds and results on the right. */
export type Side = 'left' | 'right';
/** Sections that can be opened: those of the model panel, and the events of the labels below the thresholds. */
export type SectionId = 'labels' | 'input' | 'inspect' | 'events';
export type HintId = 'welcome' | 'tune' | 'drop' | 'export';

interface Layout {
  readonly theme: Theme;
  /** the overlay's style, under its earlier name */
  readonly look: OverlayStyle;
  readonly ghosts: boolean;
  /** whether a live machine's boxes are drawn where they differ */
  readonly theirBoxes: boolean;
  /** whether key points and masks are drawn, where the model gives some */
  readonly details: boolean;
  /** lowest score of a dropped box that is drawn */
  readonly ghostFloor: number;
  /** largest number of dropped boxes that are drawn */
  readonly mostGhosts: number;
  readonly leftPx: number;
  readonly rightPx: number;
  /** sides whose panels are hidden, in a window with space for both */
  readonly closedSides: readonly string[];
  /** the one side whose panels are shown in a narrow window; '': none */
  readonly narrowSide: Side | '';
  /** whether the line of figures below the stage is shown */
  readonly figures: boolean;
  readonly drawerPx: number;
  /** largest height of the thresholds panel: the results take the rest; 0: its default share of the column */
  readonly thresholdsPx: number;
  readonly drawerOpen: boolean;
  readonly drawerFull: boolean;
  /** width of the findings beside the JSON */
  readonly findingsPx: number;
  readonly tab: PhoneTab;
  readonly sourceTab: SourceTab;
  readonly configPane: ConfigPane;
  readonly exportForm: ExportForm;
  readonly findingsOpen: boolean;
  readonly trayOpen: boolean;
  readonly closedPanels: readonly string[];
  readonly openSections: readonly string[];
  readonly dismissedHints: readonly string[];
}

const FIRST_LAYOUT: Layout = {
  theme: 'auto',
  look: 'bench',
  ghosts: false,
  theirBoxes: true,
  details: true,
  ghostFloor: 0.05,
  mostGhosts: 50,
  leftPx: 288,
  rightPx: 320,
  closedSides: [],
  narrowSide: 'right',
  figures: true,
  drawerPx: 360,
  thresholdsPx: 0,
  drawerOpen: false,
  drawerFull: false,
  findingsPx: 280,
  tab: 'source',
  sourceTab: 'files',
  configPane: 'edit',
  exportForm: 'whole',
  findingsOpen: true,
  trayOpen: false,
  closedPanels: ['model', 'transforms'],
  openSections: [],
  dismissedHints: [],
};

/** Sizes that each region may take, in px. */
const LIMITS = {
  leftPx: [232, 420],
  rightPx: [264, 480],
  drawerPx: [160, 2000],
  thresholdsPx: [120, 2000],
  findingsPx: [160, 640],
} as const;
export type Resizable = keyof typeof LIMITS;

/** The state of the window: the stored layout, and what is hovered or pressed now. */
export class ViewState {
  readonly #memory: MemoryPort;
  #layout = $state.raw<Layout>(FIRST_LAYOUT);

  /** A tool that draws on the stage (the crop window); it is given the stage's geometry. */
  public stageTool = $state.raw<Snippet<[StageViewport]> | null>(null);
  /** A layer over the picture that takes no pointer (the mask of a colour). */
  public stageLayer = $state.raw<Snippet<[StageViewport]> | null>(null);
  /** Which picture the stage shows: -1: source, k: after step k, null: the model's input. */
  public shownStage = $state<number | null>(null);
  public undistortPreview = $state(false);
  public thumbnails = $state(false);
  /** Shift is pressed: the boxes are hidden. */
  public overlayHidden = $state(false);
  /** Row of the current frame's raw detections; null: none. */
  public selectedRow = $state<number | null>(null);
  public hoveredRow = $state<number | null>(null);
  /** The only label that is highlighted on the stage; null: all. */
  public focusedLabel = $state<string | null>(null);
  /** Whether the window has space for the stage and the panels of only one side. */
  public isNarrow = $state(false);
  public shortcutsOpen = $state(false);
  public aboutOpen = $state(false);
  public backendsOpen = $state(false);
  /** Whether to record for a replay is asked. */
  public recordAsked = $state(false);

  constructor(memory: MemoryPort) {
    this.#memory = memory;
    const before = recall(memory, 'layout');
    if (before && typeof before === 'object') this.#layout = { ...FIRST_LAYOUT, ...pickKnown(before) };
  }

  #change(part: Partial<Layout>): void {
    this.#layout = { ...this.#layout, ...part };
    remember(this.#memory, 'layout', this.#layout);
  }

  get theme(): Theme {
    return this.#layout.theme;
  }
  set theme(theme: Theme) {
    this.#change({ theme });
  }

  get overlayStyle(): OverlayStyle {
    return this.#layout.look;
  }
  set overlayStyle(look: OverlayStyle) {
    this.#change({ look });
  }

  /** Dropped boxes are drawn too, with their reason. */
  get theirBoxes(): boolean {
    return this.#layout.theirBoxes;
  }
  set theirBoxes(theirBoxes: boolean) {
    this.#change({ theirBoxes });
  }

  /** Key points and masks are drawn, where the model gives some. */
  get details(): boolean {
    return this.#layout.details;
  }
  set details(details: boolean) {
    this.#change({ details });
  }

  get ghosts(): boolean {
    return this.#layout.ghosts;
  }
  set ghosts(ghosts: boolean) {
    this.#change({ ghosts });
  }

  /** Lowest score of a dropped box that is drawn, 0 to 1. */
  get ghostFloor(): number {
    return this.#layout.ghostFloor;
  }
  set ghostFloor(ghostFloor: number) {
    this.#change({ ghostFloor });
  }

  /** How many dropped boxes are drawn at most, those with the highest scores. */
  get mostGhosts(): number {
    return this.#layout.mostGhosts;
  }
  set mostGhosts(mostGhosts: number) {
    this.#change({ mostGhosts });
  }

  get drawerOpen(): boolean {
    return this.#layout.drawerOpen;
  }
  set drawerOpen(drawerOpen: boolean) {
    this.#change({ drawerOpen });
  }

  /** Whether the configuration is shown instead of the stage. */
  get drawerFull(): boolean {
    return this.#layout.drawerFull;
  }
  set drawerFull(drawerFull: boolean) {
    this.#change({ drawerFull });
  }

  get tab(): PhoneTab {
    return this.#layout.tab;
  }
  set tab(tab: PhoneTab) {
    this.#change({ tab });
  }

  get sourceTab(): SourceTab {
    return this.#layout.sourceTab;
  }
  set sourceTab(sourceTab: SourceTab) {
    this.#change({ sourceTab });
  }

  get configPane(): ConfigPane {
    return this.#layout.configPane;
  }
  set configPane(configPane: ConfigPane) {
    this.#change({ configPane });
  }

  get exportForm(): ExportForm {
    return this.#layout.exportForm;
  }
  set exportForm(exportForm: ExportForm) {
    this.#change({ exportForm });
  }

  /** Whether the findings are listed beside the JSON. */
  get findingsOpen(): boolean {
    return this.#layout.findingsOpen;
  }
  set findingsOpen(findingsOpen: boolean) {
    this.#change({ findingsOpen });
  }

  /** Whether the captures and the rules are shown below the stage. */
  get trayOpen(): boolean {
    return this.#layout.trayOpen;
  }
  set trayOpen(trayOpen: boolean) {
    this.#change({ trayOpen });
  }

  /** Whether frame size, speed and device are shown below the stage. */
  get figures(): boolean {
    return this.#layout.figures;
  }
  set figures(figures: boolean) {
    this.#change({ figures });
  }

  isSideOpen(side: Side): boolean {
    return this.isNarrow ? this.#layout.narrowSide === side : !this.#layout.closedSides.includes(side);
  }

  /** Shows or hides the panels of a side. A narrow window shows those of one side at a time. */
  toggleSide(side: Side): void {
    const open = !this.isSideOpen(side);
    if (this.isNarrow) return this.#change({ narrowSide: open ? side : '' });
    const others = this.#layout.closedSides.filter((closed) => closed !== side);
    this.#change({ closedSides: open ? others : [...others, side] });
  }

  sizePx(region: Resizable): number {
    return this.#layout[region];
  }

  /** The smallest and the largest size of a region in px; the window may have less space. */
  limitsPx(region: Resizable): readonly [least: number, most: number] {
    return LIMITS[region];
  }

  resize(region: Resizable, px: number): void {
    const [least, most] = LIMITS[region];
    this.#change({ [region]: Math.round(Math.min(most, Math.max(least, px))) });
  }

  resetSize(region: Resizable): void {
    this.#change({ [region]: FIRST_LAYOUT[region] });
  }

  isPanelOpen(id: string): boolean {
    return !this.#layout.closedPanels.includes(id);
  }

  setPanelOpen(id: string, open: boolean): void {
    const others = this.#layout.closedPanels.filter((closed) => closed !== id);
    this.#change({ closedPanels: open ? others : [...others, id] });
  }

  isSectionOpen(id: SectionId): boolean {
    return this.#layout.openSections.includes(id);
  }

  setSectionOpen(id: SectionId, open: boolean): void {
    const others = this.#layout.openSections.filter((opened) => opened !== id);
    this.#change({ openSections: open ? [...others, id] : others });
  }

  isHintShown(id: HintId): boolean {
    return !this.#layout.dismissedHints.includes(id);
  }

  dismissHint(id: HintId): void {
    if (this.isHintShown(id)) this.#change({ dismissedHints: [...this.#layout.dismissedHints, id] });
  }
}

/** Keeps the fields of a stored layout whose type is still valid. */
function pickKnown(before: object): Partial<Layout> {
  const known = Object.entries(FIRST_LAYOUT).filter(([key, first]) => {
    const value: unknown = Reflect.get(before, key);
    return typeof value === typeof first && Array.isArray(value) === Array.isArray(first);
  });
  return Object.fromEntries(known.map(([key]) => [key, Reflect.get(before, key)]));
}
