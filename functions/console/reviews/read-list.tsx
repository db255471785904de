import type { Mark } from './reading-marks.ts';

/** The texts that were read in a picture, with the numbers of their marks. */
export function ReadList({ title, marks }: { readonly title: string; readonly marks: readonly Mark[] }) {
  return (
    <section class="card pad stack">
      <h2>{title}</h2>
      <ol class="marks">
        {marks.map(({ number, label, value, box }, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- what is read has no other name, and is drawn once
          <li key={at}>
            <span class="number">{number}</span>
            <span>
              <span class="faint">{label}</span> {value}
              {box?.text !== undefined && (
                <span class="small faint">
                  {' '}
                  “{box.text}”{box.confidence !== undefined && ` ${box.confidence}%`}
                </span>
              )}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
