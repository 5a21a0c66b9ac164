import { describe, expect, it } from 'vitest';
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
