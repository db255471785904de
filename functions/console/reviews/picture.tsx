import { Note } from '../components/page-parts.tsx';
import { bytesText } from '../components/quantities.ts';
import type { Picture } from './image-answers.ts';
import { labelAt, type Mark, markId, polygonOf, type Size, sizeOf } from './reading-marks.ts';

interface PictureViewProps {
  readonly picture: Picture;
  readonly index: number;
  readonly marks: readonly Mark[];
  /** The address of the file. */
  readonly fileHref: string;
}

const ZOOMS = [
  ['1', 'Fit'],
  ['2', '2×'],
  ['4', '4×'],
] as const;
const TURNS = [
  ['0', '0°'],
  ['90', '90°'],
  ['180', '180°'],
  ['270', '270°'],
] as const;

/** The reasons why a file was not opened, by the member `problem`. */
const PROBLEMS: Readonly<Record<string, string>> = {
  empty: 'The file is empty.',
  unknown: 'The file is neither a picture nor a PDF.',
  damaged: 'The file is damaged.',
  'too-large': 'The picture has too many pixels to be examined.',
  'too-costly': 'The file needs too much memory or time to open, maybe in your browser too.',
};

/** A picture with marks at the texts that were read. The stylesheet zooms and turns it. */
export function PictureView({ picture, index, marks, fileHref }: PictureViewProps) {
  const size = sizeOf(picture);
  const label = `Picture ${index + 1}`;
  return (
    <section class="card pad stack picture" aria-label={label}>
      <div class="head">
        <h2>{label}</h2>
        {picture.url !== undefined && (
          <a href={fileHref} target="_blank" rel="noreferrer">
            Open the file{picture.bytes !== undefined && ` (${picture.format ?? ''} ${bytesText(picture.bytes)})`}
          </a>
        )}
      </div>
      {picture.examination?.problem !== undefined && (
        <Note tone="warn">{PROBLEMS[picture.examination.problem] ?? 'The file cannot be opened.'}</Note>
      )}
      {size && isWebAddress(picture.url) ? (
        <>
          <div class="row">
            <Choices name={`zoom-${index}`} label="Zoom" choices={ZOOMS} />
            <Choices name={`turn-${index}`} label="Turn" choices={TURNS} />
          </div>
          <Drawing url={picture.url} size={size} marks={marks} label={label} index={index} />
        </>
      ) : (
        <p class="muted">
          {picture.url === undefined
            ? picture.uploadRefusal === undefined
              ? 'The picture has not arrived yet.'
              : 'The file was refused.'
            : 'No preview yet, or browsers cannot display this type of file. Open the file instead.'}
        </p>
      )}
    </section>
  );
}

const isWebAddress = (url: string | undefined): url is string => /^https?:\/\//.test(url ?? '');

interface ChoicesProps {
  readonly name: string;
  readonly label: string;
  readonly choices: readonly (readonly [value: string, label: string])[];
}

function Choices({ name, label, choices }: ChoicesProps) {
  return (
    <fieldset class="choices">
      <legend class="hidden">{label}</legend>
      {choices.map(([value, text], at) => (
        <label key={value}>
          <input class="hidden" type="radio" name={name} value={value} checked={at === 0} autocomplete="off" />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  );
}

interface DrawingProps {
  readonly url: string;
  readonly size: Size;
  readonly marks: readonly Mark[];
  readonly label: string;
  readonly index: number;
}

function Drawing({ url, size, marks, label, index }: DrawingProps) {
  const { width, height } = size;
  const text = Math.max(12, Math.round(width / 45));
  const placed = marks.flatMap(({ box, number, ...mark }) =>
    box?.page === 0 && number !== undefined ? [{ ...mark, box, number }] : [],
  );
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keys
    <section class="sheet" tabIndex={0} aria-label={`${label} with marks`}>
      <svg viewBox={`0 0 ${width} ${height}`}>
        <image href={url} width={width} height={height} preserveAspectRatio="none" />
        {placed.map(({ number, box, label: what, value }) => (
          <a
            key={number}
            class="mark"
            id={markId('box', index, number)}
            data-mark={`${index}-${number}`}
            href={`#${markId('line', index, number)}`}
          >
            <title>{`${number} ${what}: ${value}`}</title>
            <polygon points={polygonOf(box, size)} />
          </a>
        ))}
        {placed.map(({ number, box }) => {
          const [x, y] = labelAt(box, size, text);
          return (
            <text key={number} class="mark-number" x={x.toFixed(1)} y={y.toFixed(1)} font-size={text}>
              {number}
            </text>
          );
        })}
      </svg>
    </section>
  );
}
