/** "1 image", "1,200 images", "3 boxes": a number with its noun, which is given for one of them. */
export function counted(count: number, noun: string): string {
  const ending = /(x|s|ch|sh)$/.test(noun) ? 'es' : 's';
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : ending}`;
}
