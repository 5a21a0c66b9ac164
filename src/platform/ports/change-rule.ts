/** How long the data service of this browser keeps who changed what: chosen by the person at it, kept to by its worker. */
export interface ChangeRule {
  /** Resolves to the days; null: for ever. */
  days(): Promise<number | null>;
  setDays(days: number | null): Promise<void>;
}
