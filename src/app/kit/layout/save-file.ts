/** Saves a file as a browser download. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // After the click was handled, the download holds the blob itself.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
