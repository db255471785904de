import { Card } from '../components/page-parts.tsx';
import { type Agreement, type Mark, markId } from './reading-marks.ts';

interface ReadListProps {
  readonly title: string;
  readonly marks: readonly Mark[];
  /** The number of the picture, from 0. */
  readonly index: number;
}

/** The texts that were read in a picture, with the numbers of their marks, each a link to the mark. */
export function ReadList({ title, marks, index }: ReadListProps) {
  return (
    <Card title={title}>
      <ol class="marks">
        {marks.map((mark, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- what is read has no other name, and is drawn once
          <ReadLine key={at} mark={mark} index={index} />
        ))}
      </ol>
    </Card>
  );
}

function ReadLine({
  mark: { number, label, value, box, agreement },
  index,
}: {
  readonly mark: Mark;
  readonly index: number;
}) {
  const text = (
    <>
      <span class="faint">{label}</span> {value}
    </>
  );
  return (
    <li {...(number !== undefined && { id: markId('line', index, number), 'data-mark': `${index}-${number}` })}>
      <span class="number">{number}</span>
      <span>
        {number === undefined ? text : <a href={`#${markId('box', index, number)}`}>{text}</a>}
        {box?.text !== undefined && (
          <span class="small faint">
            {' '}
            “{box.text}”{box.confidence !== undefined && ` ${box.confidence}%`}
          </span>
        )}
        {agreement && <ReadingsCompared agreement={agreement} />}
      </span>
    </li>
  );
}

function ReadingsCompared({ agreement: { same, others } }: { readonly agreement: Agreement }) {
  if (others.length > 0) {
    return <span class="small differs">Another reading: {others.join(' or ')}</span>;
  }
  return <span class="small faint agrees">{same > 1 ? `${same} readings agree` : 'Read once'}</span>;
}
