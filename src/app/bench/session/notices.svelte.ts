import type { Notice } from '../../../../workers/vision/protocol.ts';

/** What the worker tells a person, the newest of each kind. */
export class Notices {
  list = $state.raw<readonly Notice[]>([]);

  hear(notice: Notice): void {
    const others = this.list.filter(({ code }) => code !== notice.code);
    this.list = notice.code === 'stream-ended' ? others : [...others, notice];
  }

  dismiss(notice: Notice): void {
    this.list = this.list.filter((other) => other !== notice);
  }

  /** The notice of a restart is obsolete once other models run. */
  forgetRestart(): void {
    this.list = this.list.filter(({ code }) => code !== 'worker-restarted');
  }
}
