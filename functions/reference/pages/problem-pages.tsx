import { titleOf } from '#shared/http/problem';
import { PROBLEM_CODES } from '../problems/problem-codes.ts';
import { type Link, pageText } from './layout.tsx';

/** The page about the code of an error; undefined for a code that no error has. */
export function problemPage(code: string, links: readonly Link[]): string | undefined {
  const page = Object.hasOwn(PROBLEM_CODES, code) ? PROBLEM_CODES[code] : undefined;
  if (!page) return undefined;
  const { meaning, advice, mayRetry } = page;
  return pageText({
    title: titleOf(code),
    links,
    children: (
      <>
        <h1>{titleOf(code)}</h1>
        <p>
          <code>{code}</code>
        </p>
        <h4>Meaning</h4>
        <p>{meaning}</p>
        <h4>What to do</h4>
        <p>{advice}</p>
        <p>
          {mayRetry
            ? 'The same request may succeed later.'
            : 'The same request fails again: change it, or what it depends on.'}
        </p>
        <p>
          <a href="/docs/problems">All codes</a>
        </p>
      </>
    ),
  });
}

/** The list of all codes. */
export const problemList = (links: readonly Link[]): string =>
  pageText({
    title: 'Error codes',
    links,
    children: (
      <>
        <h1>Error codes</h1>
        <p>
          An error of <code>/v1</code> and <code>/manage/v1</code> is{' '}
          <a href="https://www.rfc-editor.org/rfc/rfc9457">problem details</a>. Its <code>code</code> is stable: decide
          by it. Its <code>type</code> leads to the page here, and <code>instance</code> names the request.
        </p>
        <table class="fields">
          <tbody>
            {Object.entries(PROBLEM_CODES)
              .sort(([one], [other]) => (one < other ? -1 : 1))
              .map(([code, { meaning }]) => (
                <tr key={code}>
                  <th scope="row">
                    <a href={`/docs/problems/${code}`}>{code}</a>
                  </th>
                  <td>{meaning}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </>
    ),
  });
