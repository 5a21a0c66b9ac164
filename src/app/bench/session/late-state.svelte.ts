import { memoizeByObject } from '../../../base/schedule/memoize-by-object.ts';

/**
 * A state of the bench whose code comes with the first part of the page that needs it: made then, and the same for all
 * that ask with that bench. It outlives the component that asked first.
 */
export function lateState<Bench extends WeakKey, State>(make: (bench: Bench) => State): (bench: Bench) => State {
  return memoizeByObject((bench: Bench) => {
    let made: State;
    $effect.root(() => void (made = make(bench)));
    return made!;
  });
}
