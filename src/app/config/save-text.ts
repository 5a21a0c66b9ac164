/** Hands a text to the person at the page as a file of that name. */
export function saveText(fileName: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  // The download has its own hold on the blob once the click has been handled.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
