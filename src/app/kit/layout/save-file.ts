/** Hands a file to the person at the page, as a download. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has its own hold on the blob once the click has been handled.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
