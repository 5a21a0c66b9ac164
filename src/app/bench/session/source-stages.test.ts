import { describe, expect, it } from 'vitest';
import type { StageInfo } from '../../../../workers/vision/protocol.ts';
import { SourceStages } from './source-stages.svelte.ts';

function pictures() {
  const closed: string[] = [];
  const picture = (name: string) => ({ close: () => closed.push(name) }) as unknown as ImageBitmap;
  return { closed, picture };
}
const source = (thumbnail: ImageBitmap | null = null): StageInfo => ({
  type: '',
  step: -1,
  widthPx: 1280,
  heightPx: 720,
  thumbnail,
});
const crop = (changes: Partial<StageInfo> = {}): StageInfo => ({
  type: 'crop',
  step: 0,
  widthPx: 640,
  heightPx: 360,
  thumbnail: null,
  ...changes,
});

describe('SourceStages', () => {
  it('keeps the pictures of a stream until newer ones come, and closes them then', () => {
    const { closed, picture } = pictures();
    const way = new SourceStages();
    const first = [source(picture('first'))];
    way.take(first, true);
    way.take([source()], true);
    expect([way.stages, closed]).toEqual([first, []]);
    way.take([source(picture('second'))], true);
    expect(closed).toEqual(['first']);
  });

  it.each([
    ['one more step', [source(), crop(), crop({ step: 1 })]],
    ['one step less', [source()]],
    ['another step', [source(), crop({ type: 'resize' })]],
    ['a step at another place', [source(), crop({ step: 1 })]],
    ['another width', [source(), crop({ widthPx: 639 })]],
    ['another height', [source(), crop({ heightPx: 359 })]],
  ])('shows %s at once, without pictures', (_, stages) => {
    const { closed, picture } = pictures();
    const way = new SourceStages();
    way.take([source(picture('old')), crop()], true);
    way.take(stages, true);
    expect([way.stages, closed]).toEqual([stages, ['old']]);
  });

  it('is behind from the first frame without pictures to the next with some, until that is asked for', () => {
    const { picture } = pictures();
    const way = new SourceStages();
    const behind = (stages: readonly StageInfo[], isOfStream: boolean) => (way.take(stages, isOfStream), way.isBehind);
    expect(behind([source()], true)).toBe(false); // nobody wants pictures
    expect(behind([source(picture('first'))], true)).toBe(false);
    expect([true, false, false].map((isOfStream) => behind([source()], isOfStream))).toEqual([true, true, true]);
    expect(behind([source(picture('second'))], false)).toBe(false);
    expect(behind([source()], false)).toBe(true);
    way.catchUp();
    expect(behind([source()], false)).toBe(false); // none came: none is wanted any more
    way.take([source(picture('third'))], true);
    way.take([source()], true);
    way.leave();
    expect(way.isBehind).toBe(false);
  });

  it('shows no picture of one still beside another, nor of a source that was left', () => {
    const { closed, picture } = pictures();
    const way = new SourceStages();
    way.take([source(picture('a still'))], false);
    way.take([source()], false);
    expect([way.stages, closed]).toEqual([[source()], ['a still']]);
    way.take([source(picture('of a camera'))], true);
    way.leave();
    expect([way.stages, closed]).toEqual([[], ['a still', 'of a camera']]);
  });
});
