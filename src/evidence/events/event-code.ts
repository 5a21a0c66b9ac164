import type { EventRule } from './event-rule.ts';

/** A language in which the rule of events is given. */
export type EventLanguage = 'python' | 'typescript';

/**
 * Writes the rule of events as code for a program that asks the machine, which knows no such rule: one call a frame, with
 * the labels and scores that passed their thresholds, gives the labels that are to be told now.
 * @param rule as `EventFinder` applies it
 * @param language of the program
 * @returns a class and how it is called
 * @example
 * const rule = { atLeast: 3, ofFrames: 5, beginScore: 0.6, endBelow: 2, quietMs: 60_000, gapMs: 5000 };
 * eventCode(rule, 'python').startsWith('class Events:'); // => true
 */
export function eventCode(rule: EventRule, language: EventLanguage): string {
  return language === 'python' ? python(rule) : typescript(rule);
}

function python({ atLeast, ofFrames, beginScore, endBelow, quietMs, gapMs }: EventRule): string {
  return `class Events:
    def __init__(self):
        self.last, self.seen, self.present, self.told = None, {}, set(), {}

    def see(self, now_s, found):
        if self.last is not None and now_s - self.last > ${gapMs / 1000}:
            self.seen, self.present = {}, set()
        self.last, before, self.present, news = now_s, self.present, set(), []
        for label in {*self.seen, *(name for name, _ in found)}:
            best = max((score for name, score in found if name == label), default=-1)
            self.seen[label] = [*self.seen.get(label, []), best][-${ofFrames}:]
            frames, score = (${endBelow}, 0) if label in before else (${atLeast}, ${beginScore})
            if sum(one >= score for one in self.seen[label]) >= frames:
                self.present.add(label)
                if label not in before and now_s - self.told.get(label, float("-inf")) >= ${quietMs / 1000}:
                    self.told[label] = now_s
                    news.append(label)
        return news

# events = Events(); each frame: events.see(time.monotonic(), [(d.class_name, d.confidence) for d in detections])
`;
}

function typescript({ atLeast, ofFrames, beginScore, endBelow, quietMs, gapMs }: EventRule): string {
  return `class Events {
  last = Infinity;
  seen = new Map<string, number[]>();
  present = new Set<string>();
  told = new Map<string, number>();

  see(nowMs: number, found: [label: string, score: number][]): string[] {
    if (nowMs - this.last > ${gapMs}) (this.seen.clear(), this.present.clear());
    const before = this.present;
    [this.last, this.present] = [nowMs, new Set()];
    for (const label of new Set([...this.seen.keys(), ...found.map(([name]) => name)])) {
      const best = Math.max(-1, ...found.filter(([name]) => name === label).map(([, score]) => score));
      this.seen.set(label, [...(this.seen.get(label) ?? []), best].slice(-${ofFrames}));
      const [frames, score] = before.has(label) ? [${endBelow}, 0] : [${atLeast}, ${beginScore}];
      if (this.seen.get(label)!.filter((one) => one >= score).length >= frames) this.present.add(label);
    }
    const news = [...this.present].filter(
      (label) => !before.has(label) && nowMs - (this.told.get(label) ?? -Infinity) >= ${quietMs},
    );
    for (const label of news) this.told.set(label, nowMs);
    return news;
  }
}

// const events = new Events(); each frame: events.see(performance.now(), detections.map((d) => [d.className, d.confidence]))
`;
}
