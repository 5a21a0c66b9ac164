import { escapeHtml } from './escape-html.ts';

/** x, y, width, height in pixels */
type Box = ArrayLike<number>;

/** An error on its image. */
export interface PicturedError {
  /** title of the error's kind */
  readonly title: string;
  /** labels and score */
  readonly text: string;
  /** name of the image */
  readonly name: string;
  /** a data: URL; null: the image cannot be drawn */
  readonly url: string | null;
  /** width of the image whose pixels the boxes are in; the picture may be smaller */
  readonly widthPx: number;
  readonly heightPx: number;
  /** null: there is nothing where the result is */
  readonly truthBox: Box | null;
  /** null: the truth is missed */
  readonly resultBox: Box | null;
}

/** The errors as figures that load nothing: the truth with a solid line, the result with a dashed one; '' for none. */
export function errorPictures(errors: readonly PicturedError[]): string {
  if (errors.length === 0) return '';
  return `<h2>Errors</h2>
<p>The truth has a solid line, the result a dashed one.</p>
<div class="plots pictures">${errors.map(errorPicture).join('\n')}</div>`;
}

function errorPicture({ title, text, name, url, widthPx, heightPx, truthBox, resultBox }: PicturedError): string {
  const image =
    url && `<image href="${escapeHtml(url)}" width="${widthPx}" height="${heightPx}" preserveAspectRatio="none"/>`;
  return `<figure><svg viewBox="0 0 ${widthPx} ${heightPx}" role="img" aria-label="${escapeHtml(`${title} on ${name}`)}">${image ?? ''}${rectangle(truthBox, 'stroke="#4ade80"')}${rectangle(resultBox, 'stroke="#fb7185" stroke-dasharray="5 3"')}</svg><figcaption><b>${escapeHtml(title)}</b> ${escapeHtml(text)}<br>${escapeHtml(name)}${url === null ? ', which cannot be drawn' : ''}</figcaption></figure>`;
}

function rectangle(box: Box | null, line: string): string {
  if (!box) return '';
  const [x, y, width, height] = Array.from(box);
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="none" stroke-width="2" vector-effect="non-scaling-stroke" ${line}/>`;
}
