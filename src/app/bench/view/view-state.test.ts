import { describe, expect, it } from 'vitest';
import { ViewState } from './view-state.svelte.ts';

function memory(start: Record<string, string> = {}) {
  const kept = new Map(Object.entries(start));
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
}

describe('ViewState', () => {
  it('comes back as it was left', () => {
    const kept = memory();
    const first = new ViewState(kept);
    first.theme = 'dark';
    first.overlayStyle = 'machine';
    first.resize('leftPx', 300.4);
    first.setPanelOpen('model', false);
    first.dismissHint('welcome');

    const next = new ViewState(kept);
    expect(next.theme).toBe('dark');
    expect(next.overlayStyle).toBe('machine');
    expect(next.sizePx('leftPx')).toBe(300);
    expect(next.isPanelOpen('model')).toBe(false);
    expect(next.isPanelOpen('source')).toBe(true);
    expect(next.isHintShown('welcome')).toBe(false);
  });

  it('comes back with the tabs and the sections that were open', () => {
    const kept = memory();
    const first = new ViewState(kept);
    first.sourceTab = 'url';
    first.configPane = 'export';
    first.exportForm = 'patch';
    first.findingsOpen = false;
    first.trayOpen = true;
    first.setSectionOpen('labels', true);
    first.setSectionOpen('inspect', true);
    first.setSectionOpen('inspect', false);

    const next = new ViewState(kept);
    expect([next.sourceTab, next.configPane, next.exportForm]).toEqual(['url', 'export', 'patch']);
    expect([next.findingsOpen, next.trayOpen]).toEqual([false, true]);
    const sections = ['labels', 'input', 'inspect'] as const;
    expect(sections.map((id) => next.isSectionOpen(id))).toEqual([true, false, false]);
  });

  it('puts the panels of a side away, and remembers it', () => {
    const kept = memory();
    const first = new ViewState(kept);
    expect([first.isSideOpen('left'), first.isSideOpen('right'), first.figures]).toEqual([true, true, true]);
    first.toggleSide('left');
    first.figures = false;
    expect([first.isSideOpen('left'), first.isSideOpen('right')]).toEqual([false, true]);

    const next = new ViewState(kept);
    expect([next.isSideOpen('left'), next.isSideOpen('right'), next.figures]).toEqual([false, true, false]);
    next.toggleSide('left');
    next.toggleSide('right');
    expect([next.isSideOpen('left'), next.isSideOpen('right')]).toEqual([true, false]);
  });

  it('shows the panels of one side at a time in a narrow window, apart from what a wide one shows', () => {
    const kept = memory();
    const view = new ViewState(kept);
    const open = (): readonly boolean[] => [view.isSideOpen('left'), view.isSideOpen('right')];
    view.isNarrow = true;
    expect(open()).toEqual([false, true]);
    view.toggleSide('left');
    expect(open()).toEqual([true, false]);
    view.toggleSide('left');
    expect(open()).toEqual([false, false]);
    view.isNarrow = false;
    expect(open()).toEqual([true, true]);

    const next = new ViewState(kept);
    next.isNarrow = true;
    expect(next.isSideOpen('right')).toBe(false);
  });

  it.each(['{', '7', 'null', '{"leftPx":"wide","closedPanels":{}}'])('starts anew from %s', (damaged) => {
    const view = new ViewState(memory({ 'sightglass:layout': damaged }));
    expect(view.sizePx('leftPx')).toBe(288);
    expect(view.isPanelOpen('source')).toBe(true);
  });

  it('works where storage is refused', () => {
    const refuse = (): never => {
      throw new DOMException('denied', 'SecurityError');
    };
    const view = new ViewState({ getItem: refuse, setItem: refuse });
    view.theme = 'light';
    expect(view.theme).toBe('light');
  });

  it('holds sizes to what the window can show', () => {
    const view = new ViewState(memory());
    view.resize('rightPx', 9999);
    expect(view.sizePx('rightPx')).toBe(480);
    view.resize('rightPx', 0);
    expect(view.sizePx('rightPx')).toBe(264);
    view.resetSize('rightPx');
    expect(view.sizePx('rightPx')).toBe(320);
  });
});
