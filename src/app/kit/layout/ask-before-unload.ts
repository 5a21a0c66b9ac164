/** Lets the browser ask before the page is closed or loaded again. @returns the function that ends it */
export function askBeforeUnload(): () => void {
  const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
  addEventListener('beforeunload', ask);
  return () => removeEventListener('beforeunload', ask);
}
