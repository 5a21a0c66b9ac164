import { expect } from 'vitest';

/** A point in the window, px, and what the pointer does there. */
export interface PointerStep {
  readonly x: number;
  readonly y: number;
  readonly does: 'move' | 'press' | 'release';
}

/** What a driver of one browser does for a page. */
export interface EngineDriver {
  /** version of the browser, in its own words: "156.0.1" */
  readonly version: string;
  /** Resolves when the page is loaded. */
  goto(url: string): Promise<void>;
  reload(): Promise<void>;
  /** The value, or the settled value, of an expression in the page; it crosses as JSON. */
  evaluate(expression: string): Promise<unknown>;
  pointer(steps: readonly PointerStep[]): Promise<void>;
  /** Presses and releases a key by its name in `KeyboardEvent.key`, while the others are held. */
  press(key: string, held?: readonly string[]): Promise<void>;
  /** Chooses files in the file input that a CSS selector finds. */
  chooseFiles(selector: string, paths: readonly string[]): Promise<void>;
  /** errors and warnings of the console, and uncaught errors, since the page was made */
  complaints(): readonly string[];
  /** Another tab of the same storage; it closes with the page. */
  newTab(): Promise<EngineDriver>;
  close(): Promise<void>;
}

/** A browser that is running. */
export interface Engine {
  /** A page with storage of its own. */
  newPage(): Promise<EngineDriver>;
  close(): Promise<void>;
}

/** Where an element lies in the window, px. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The first element that a CSS selector finds, by its name (label or text) and the name of the region around it. */
export interface Place {
  readonly css: string;
  /** the whole name, or its first words */
  readonly name?: string;
  readonly within?: string;
}

/** The same calls on a page of any engine. Elements are pressed and dragged by a real pointer, at their place in the window. */
export class EnginePage {
  readonly driver: EngineDriver;
  #marks = 0;

  constructor(driver: EngineDriver) {
    this.driver = driver;
  }

  /** Runs a function in the page; it uses nothing but its argument. */
  async evaluate<T, A = undefined>(run: (arg: A) => T | Promise<T>, arg?: A): Promise<T> {
    return (await this.driver.evaluate(`(${String(run)})(${JSON.stringify(arg) ?? ''})`)) as T;
  }

  /** The texts of all elements that a CSS selector finds. */
  texts(css: string): Promise<string[]> {
    return this.evaluate(
      (selector) => [...document.querySelectorAll<HTMLElement>(selector)].map(({ innerText }) => innerText.trim()),
      css,
    );
  }

  /** Waits for an element, marks it, and gives a CSS selector that finds it alone. */
  async marked(place: Place): Promise<string> {
    return (await this.#found(place)).selector;
  }

  /** Where an element lies in the window, px, once it is scrolled into view. */
  async box(place: Place): Promise<Box> {
    return (await this.#found(place)).box;
  }

  /** Finds and measures in one call, or the element may be another in between. */
  async #found(place: Place): Promise<{ selector: string; box: Box }> {
    const mark = `m${++this.#marks}`;
    const find = (wanted: Place & { mark: string }): Box | null => {
      const tidy = (text: string | null | undefined) => (text ?? '').replace(/\s+/g, ' ').trim();
      const labelOf = (element: Element): string =>
        tidy(
          element.getAttribute('aria-label') ??
            (document.getElementById(element.getAttribute('aria-labelledby') ?? '')?.textContent ||
              (element as HTMLInputElement).labels?.[0]?.textContent),
        );
      const nameOf = (element: Element): string =>
        labelOf(element) || tidy(element.textContent) || tidy(element.getAttribute('title'));
      const isNamed = (name: string): boolean =>
        wanted.name === undefined || name === wanted.name || name.startsWith(`${wanted.name} `);
      const isWithin = (element: Element): boolean => {
        for (let at: Element | null = element; at; at = at.parentElement)
          if (labelOf(at) === wanted.within) return true;
        return false;
      };
      const all = [...document.querySelectorAll(wanted.css)].filter(
        (element) =>
          isNamed(nameOf(element)) &&
          (wanted.within === undefined || isWithin(element)) &&
          (element.matches('[type="file"]') || element.getClientRects().length > 0),
      );
      const found = all.find((element) => nameOf(element) === wanted.name) ?? all[0]; // "Key" is not "Key id"
      if (!found) return null;
      found.setAttribute('data-mark', wanted.mark);
      if (!found.matches('[type="file"]')) found.scrollIntoView({ block: 'nearest', behavior: 'instant' });
      const { x, y, width, height } = found.getBoundingClientRect();
      return { x, y, width, height };
    };
    let box: Box | null = null;
    const isFound = async () => (box = await this.evaluate(find, { ...place, mark })) !== null;
    await expect.poll(isFound, { message: JSON.stringify(place) }).toBe(true);
    return { selector: `[data-mark="${mark}"]`, box: box! };
  }

  async click(place: Place): Promise<void> {
    const { x, y, width, height } = await this.box(place);
    const center = { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };
    await this.driver.pointer([
      { ...center, does: 'move' },
      { ...center, does: 'press' },
      { ...center, does: 'release' },
    ]);
  }

  /** Types into a field in the place of what is there, and presses Enter. */
  async fill(place: Place, text: string): Promise<void> {
    await this.type(place, text);
    await this.driver.press('Enter');
  }

  /** Types into a field in the place of what is there. */
  async type(place: Place, text: string): Promise<void> {
    await this.evaluate(
      (selector) => {
        const field = document.querySelector<HTMLInputElement>(selector)!;
        field.focus();
        field.select();
      },
      await this.marked(place),
    );
    for (const key of text) await this.driver.press(key);
  }

  async chooseFiles(place: Place, ...paths: readonly string[]): Promise<void> {
    await this.driver.chooseFiles(await this.marked(place), paths);
  }
}
