import type { Guide } from '../guides/guides.ts';
import { LANGUAGES, sampleIn } from '../samples/request-sample.ts';
import { anchorOf } from './document-view.ts';
import { Prose } from './layout.tsx';

/** The first request in each language, and what else to know before looking up an operation. */
export function GuideSections({ guide: { first, credential, sections } }: { readonly guide: Guide }) {
  return (
    <section>
      <h2 id="guide">Guide</h2>
      <h3 id="first-request">First request</h3>
      <Prose text="With a local run of the service (`npm start`):" />
      <pre>
        <code>{`export API_URL=http://localhost:3000\nexport ${credential}`}</code>
      </pre>
      {LANGUAGES.map((language, index) => (
        <details key={language} open={index === 0}>
          <summary>{language}</summary>
          <pre>
            <code>{sampleIn(language, first)}</code>
          </pre>
        </details>
      ))}
      {sections.map(([heading, text]) => (
        <section key={heading}>
          <h3 id={anchorOf(heading)}>{heading}</h3>
          <Prose text={text} />
        </section>
      ))}
    </section>
  );
}
