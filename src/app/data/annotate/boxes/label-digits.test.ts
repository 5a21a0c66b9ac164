import { describe, expect, it } from 'vitest';
import { assignDigits, type DigitWishes, type LabelDigit } from './label-digits.ts';

const many = Array.from({ length: 80 }, (_, at) => `thing ${at}`);
const digits = (given: Readonly<Record<string, LabelDigit | ''>>) => new Map(Object.entries(given));
/** "1 cup, 2 hat" */
function given(wishes: Partial<DigitWishes> & Pick<DigitWishes, 'labels'>): string {
  const nothing = { chosen: new Map(), before: new Map(), uses: new Map() };
  const order = (digit: string): number => (Number(digit) + 9) % 10;
  return [...assignDigits({ ...nothing, ...wishes })]
    .toSorted(([, a], [, b]) => order(a) - order(b))
    .map(([label, digit]) => `${digit} ${label}`)
    .join(', ');
}

describe('the digits of labels', () => {
  it('go to the labels used most, the rest in the order of the list', () => {
    const uses = new Map([['thing 70', 3], ['thing 41', 9], ['thing 5', 3]]); // prettier-ignore
    expect(given({ labels: many, uses })).toBe(
      '1 thing 41, 2 thing 5, 3 thing 70, 4 thing 0, 5 thing 1, 6 thing 2, 7 thing 3, 8 thing 4, 9 thing 6, 0 thing 7',
    );
  });

  it('stay with a label as long as it is among those used most', () => {
    const before = digits({ car: '1', cat: '2', dog: '3' });
    const uses = new Map([['dog', 50], ['car', 2], ['bus', 30]]); // prettier-ignore
    expect(given({ labels: ['cat', 'car', 'dog', 'bus'], before, uses })).toBe('1 car, 2 bus, 3 dog, 4 cat');
  });

  it('leave labels that are not used for those that are', () => {
    const before = new Map(many.slice(0, 10).map((label, at) => [label, String((at + 1) % 10) as LabelDigit]));
    const uses = new Map(many.slice(60, 69).map((label) => [label, 1]));
    expect(given({ labels: many, before, uses })).toBe(
      `${many.slice(60, 69).map((label, at) => `${at + 1} ${label}`).join(', ')}, 0 thing 0`, // prettier-ignore
    );
  });

  it('are those that a person chose, whatever is used', () => {
    const chosen = digits({ 'thing 9': '1', 'thing 41': '' });
    const uses = new Map([['thing 41', 9], ['thing 7', 4]]); // prettier-ignore
    expect(given({ labels: many.slice(0, 42), chosen, uses })).toMatch(
      /^1 thing 9, 2 thing 7, 3 thing 0, (?!.*thing 41)/,
    );
  });

  it('are free again when the label they were chosen for is gone', () => {
    expect(given({ labels: ['cup'], chosen: digits({ hat: '1' }) })).toBe('1 cup');
  });
});
