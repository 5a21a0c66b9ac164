/**
 * The labels of the model and of the truth as one list. Labels are compared without case, as in `label_confidences`;
 * the model's spelling is shown, as thresholds are written by it, and else the one that came first.
 */
export class LabelNames {
  readonly names: string[] = [];
  /** which labels the model can report */
  readonly isOfModel: boolean[] = [];
  readonly #numbers = new Map<string, number>();

  /** The number of a label, which gets one if it is new. */
  add(label: string, isOfModel: boolean): number {
    const key = label.toLowerCase();
    const known = this.#numbers.get(key);
    if (known !== undefined) {
      if (isOfModel && !this.isOfModel[known]) {
        this.names[known] = label;
        this.isOfModel[known] = true;
      }
      return known;
    }
    const number = this.names.length;
    this.#numbers.set(key, number);
    this.names.push(label);
    this.isOfModel.push(isOfModel);
    return number;
  }
}
