/** The `onsubmit` of a form that is handled by `act`: the browser does not load the page anew. */
export function onSubmit(act: () => unknown): (event: Event) => void {
  return (event) => {
    event.preventDefault();
    act();
  };
}
