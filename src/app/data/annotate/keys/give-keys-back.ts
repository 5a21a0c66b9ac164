/**
 * Attachment: after a click on a button, moves the focus to the stage, so that its keys work. After Tab the focus
 * stays.
 */
export function giveKeysBack(focusStage: () => void) {
  return (region: HTMLElement): (() => void) => {
    const click = (event: MouseEvent): void => {
      if (event.detail > 0 && event.target instanceof Element && event.target.closest('button')) focusStage();
    };
    region.addEventListener('click', click);
    return () => region.removeEventListener('click', click);
  };
}
