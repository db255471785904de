import type { Guide } from '../guides/guides.ts';
import { type Link, pageText } from './layout.tsx';

interface Entry extends Pick<Guide, 'slug' | 'summary'> {
  readonly title: string;
  /** The path of the OpenAPI document. */
  readonly path: string;
}

/** The page that leads to the interfaces of the stage. */
export const indexPage = (entries: readonly Entry[], links: readonly Link[]): string =>
  pageText({
    title: 'API reference',
    links,
    children: (
      <>
        <h1>API reference</h1>
        <p>One API with four interfaces, each with its own credential and its own document.</p>
        <ul class="cards">
          {entries.map(({ slug, title, summary, path }) => (
            <li key={slug}>
              <strong>
                <a href={`/docs/${slug}`}>{title}</a>
              </strong>
              <p>{summary}</p>
              <a href={path}>OpenAPI 3.1</a>
            </li>
          ))}
        </ul>
        <p>
          <a href="/docs/problems">Error codes</a>, each with what it means and what to do.{' '}
          <a href="/console">The console</a> does all of this on screens.
        </p>
      </>
    ),
  });
