/** Attachment: after a pointer pressed a button the keys are the stage's again. Who came by Tab stays where they are. */
export function giveKeysBack(focusStage: () => void) {
  return (region: HTMLElement): (() => void) => {
    const click = (event: MouseEvent): void => {
      if (event.detail > 0 && event.target instanceof Element && event.target.closest('button')) focusStage();
    };
    region.addEventListener('click', click);
    return () => region.removeEventListener('click', click);
  };
}
