/** A location that a membership may be for. */
export interface PlaceOption {
  readonly id: string;
  readonly name: string;
}

/** The choice of a location that is not in the list. */
export const otherPlace = 'other';

/** What a person chooses the place of a membership from. */
export function placeOptions(
  places: readonly PlaceOption[],
): readonly { readonly value: string; readonly text: string }[] {
  return [
    { value: '', text: 'The whole organization' },
    ...places.map(({ id, name }) => ({ value: `at ${id}`, text: name })),
    { value: otherPlace, text: 'Another location …' },
  ];
}

/** The option of a location; '' is the whole organization. */
export const optionOf = (locationId: string): string => (locationId === '' ? '' : `at ${locationId}`);

/** The location of an option; `typed` is the id that a person typed for another one. */
export function locationOf(option: string, typed: string): string {
  if (option === otherPlace) return typed.trim();
  return option.slice('at '.length);
}
