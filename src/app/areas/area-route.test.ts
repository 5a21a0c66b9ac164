import { describe, expect, it } from 'vitest';
import { sessionHistory } from '../../../tests/session-history.ts';
import { AreaRoute, parsePlace } from './area-route.svelte.ts';

function page(hash = '') {
  const listeners = new Map<string, () => void>();
  const location = { hash };
  const history = {
    state: null,
    pushState: (_state: unknown, _title: string, href: string) => void (location.hash = href),
    replaceState: (_state: unknown, _title: string, href: string) => void (location.hash = href),
  };
  const addEventListener = (type: string, listener: () => void) => void listeners.set(type, listener);
  const visit = (to: string) => {
    location.hash = to;
    listeners.get('hashchange')!();
  };
  return { window: { location, history, addEventListener } as unknown as Window, visit, location };
}

function memory(kept = new Map<string, string>()) {
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
}

describe('parsePlace', () => {
  it.each([
    ['#/bench', { area: 'bench', tab: '', rest: '' }],
    ['#/evaluate', { area: 'evaluate', tab: '', rest: '' }],
    ['#/evaluate/compare', { area: 'evaluate', tab: 'compare', rest: '' }],
    ['#/evaluated', null],
    ['#/data', { area: 'data', tab: '', rest: '' }],
    ['#/data/', { area: 'data', tab: '', rest: '' }],
    ['#/data/images', { area: 'data', tab: 'images', rest: '' }],
    ['#/data/point-clouds?tags=a/b', { area: 'data', tab: 'point-clouds', rest: '?tags=a/b' }],
    ['#/data/images/local%2Fx', { area: 'data', tab: 'images', rest: '/local%2Fx' }],
    ['#/data/replay?rule=1', { area: 'evaluate', tab: 'replay', rest: '?rule=1' }],
    ['#/data/replayed', { area: 'data', tab: 'replayed', rest: '' }],
    ['#config=abc', null],
    ['#/database', null],
    ['', null],
  ])('%j', (hash, place) => expect(parsePlace(hash)).toEqual(place));
});

describe('AreaRoute', () => {
  it('follows the address, and goes where it is sent', () => {
    const route = new AreaRoute(memory());
    const { window, visit, location } = page();
    route.listen(window);
    expect(route.area).toBe('bench');
    visit('#/data/files');
    expect([route.area, route.tabOf('data')]).toEqual(['data', 'files']);
    route.go(route.href('data', 'images', '?tags=a'));
    expect([location.hash, route.tabOf('data'), route.rest]).toEqual(['#/data/images?tags=a', 'images', '?tags=a']);
    visit('#/evaluate/judge');
    expect([route.tabOf('evaluate'), route.href('data'), route.href('evaluate')]).toEqual([
      'judge',
      '#/data/images',
      '#/evaluate/judge',
    ]);
    visit('');
    expect(route.area).toBe('bench');
  });

  it('comes back to the tab of the last visit, but for a link that says otherwise', () => {
    const kept = memory();
    const before = new AreaRoute(kept);
    before.listen(page('#/data/sensors?method=a').window);
    const areaAt = (hash: string) => {
      const route = new AreaRoute(kept);
      route.listen(page(hash).window);
      return [route.area, route.tabOf('data'), route.rest];
    };
    expect(areaAt('')).toEqual(['data', 'sensors', '']);
    expect(areaAt('#config=abc')).toEqual(['bench', 'sensors', '']);
    expect(areaAt('#/data')).toEqual(['data', 'sensors', '']);
  });
});

describe('AreaRoute, beside the entry of a dialog', () => {
  const started = (hash: string, state?: string) => {
    const session = sessionHistory(hash, state);
    const route = new AreaRoute(memory());
    route.listen(session.page);
    return { session, route };
  };

  it('goes back from the entry of a dialog that was open before a reload', async () => {
    const { session, route } = started('#/data/images', 'dialog');
    await session.rest();
    expect([session.at, session.page.history.state, route.tabOf('data')]).toEqual([0, null, 'images']);
  });

  it('goes elsewhere from a dialog, and back to what was behind it', async () => {
    const { session, route } = started('#/data/datasets');
    session.page.history.pushState('dialog', '');
    route.go('#/data/datasets/one');
    expect([session.at, session.page.history.state, route.rest]).toEqual([1, null, '/one']);
    await session.travel('back');
    expect([session.at, route.tabOf('data'), route.rest]).toEqual([0, 'datasets', '']);
  });

  it.each([
    [false, 1],
    [true, 0],
  ])('goes elsewhere (replace: %j) once a dialog that is closed has given its entry back', async (replace, at) => {
    const { session, route } = started('#/data/datasets');
    session.page.history.pushState('dialog', '');
    session.page.history.replaceState('leaving', '');
    session.page.history.back();
    route.go('#/data/datasets/one', { replace });
    await session.rest();
    expect([session.at, session.page.location.hash, route.rest]).toEqual([at, '#/data/datasets/one', '/one']);
    expect(session.entries[0]!.hash).toBe(replace ? '#/data/datasets/one' : '#/data/datasets');
  });

  it('keeps a filter that is set behind an open dialog', async () => {
    const { session, route } = started('#/data/images');
    session.page.history.pushState('dialog', '');
    route.go('#/data/images?tags=a', { replace: true });
    expect([session.page.history.state, route.rest]).toEqual(['dialog', '?tags=a']);
    await session.travel('back');
    expect([session.at, session.page.location.hash, route.rest]).toEqual([0, '#/data/images?tags=a', '?tags=a']);
  });
});
