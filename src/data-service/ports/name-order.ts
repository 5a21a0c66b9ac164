/** By code units, as every store orders texts. */
export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

interface Named {
  readonly name: string;
  readonly id: string;
}
export const byName = (a: Named, b: Named): number => byText(a.name, b.name) || byText(a.id, b.id);
