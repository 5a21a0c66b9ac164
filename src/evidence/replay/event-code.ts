import type { EventRule } from './events.ts';

/** A language in which the rule of events is given. */
export type EventLanguage = 'python' | 'typescript';

/**
 * Writes the rule of events as code for a program that asks the machine, which knows no such rule: one call a frame, with
 * the labels that passed their thresholds, gives those that are to be told now.
 * @param rule of `eventsOf`
 * @param language of the program
 * @returns a class and how it is called
 * @example
 * const rule = { atLeast: 2, ofFrames: 3, quietMs: 60_000, gapMs: 5000 };
 * eventCode(rule, 'python').startsWith('class Events:'); // => true
 */
export function eventCode(rule: EventRule, language: EventLanguage): string {
  return language === 'python' ? python(rule) : typescript(rule);
}

function python({ atLeast, ofFrames, quietMs, gapMs }: EventRule): string {
  return `class Events:
    def __init__(self):
        self.last, self.seen, self.present, self.told = None, {}, set(), {}

    def see(self, now_s, labels):
        if self.last is not None and now_s - self.last > ${gapMs / 1000}:
            self.seen, self.present = {}, set()
        self.last, before, self.present, news = now_s, self.present, set(), []
        for label in {*self.seen, *labels}:
            self.seen[label] = [*self.seen.get(label, []), label in labels][-${ofFrames}:]
            if sum(self.seen[label]) >= ${atLeast}:
                self.present.add(label)
                if label not in before and now_s - self.told.get(label, float("-inf")) >= ${quietMs / 1000}:
                    self.told[label] = now_s
                    news.append(label)
        return news

# events = Events(); each frame: events.see(time.monotonic(), [d.class_name for d in detections])
`;
}

function typescript({ atLeast, ofFrames, quietMs, gapMs }: EventRule): string {
  return `class Events {
  last = Infinity;
  seen = new Map<string, boolean[]>();
  present = new Set<string>();
  told = new Map<string, number>();

  see(nowMs: number, labels: string[]): string[] {
    if (nowMs - this.last > ${gapMs}) (this.seen.clear(), this.present.clear());
    const before = this.present;
    [this.last, this.present] = [nowMs, new Set()];
    for (const label of new Set([...this.seen.keys(), ...labels]))
      this.seen.set(label, [...(this.seen.get(label) ?? []), labels.includes(label)].slice(-${ofFrames}));
    for (const [label, frames] of this.seen)
      if (frames.filter(Boolean).length >= ${atLeast}) this.present.add(label);
    const news = [...this.present].filter(
      (label) => !before.has(label) && nowMs - (this.told.get(label) ?? -Infinity) >= ${quietMs},
    );
    for (const label of news) this.told.set(label, nowMs);
    return news;
  }
}

// const events = new Events(); each frame: events.see(performance.now(), detections.map((d) => d.className))
`;
}
