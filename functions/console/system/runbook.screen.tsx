import { Code, PageHead } from '../components/page-parts.tsx';
import { page, type Screen } from '../pages/screen.ts';
import { type Block, piecesOf, sectionOf } from './runbook.ts';

/** One section of the runbook, to which an alarm links. */
export const runbookScreen: Screen = async ({ path }) => {
  const { RUNBOOK } = await import('./runbook-text.ts');
  const section = sectionOf(RUNBOOK, path['section'] ?? '');
  const title = section?.title ?? 'Not in the runbook';
  return page(
    title,
    <>
      <PageHead title={title} lead="From the runbook, cdk/README.md." under={['/console/system', 'System']} />
      <article class="card pad stack prose">
        {section ? (
          section.blocks.map((block, at) => (
            // oxlint-disable-next-line react/no-array-index-key -- blocks have no other name, and are drawn once
            <RunbookBlock key={at} block={block} id={`block-${at}`} />
          ))
        ) : (
          <p>The runbook of this deployment has no such section.</p>
        )}
      </article>
    </>,
    { status: section ? 200 : 404 },
  );
};

function RunbookBlock({ block, id }: { readonly block: Block; readonly id: string }) {
  if (block.kind === 'code') return <Code id={id} text={block.text} label="Command or output" />;
  if (block.kind === 'text') {
    return (
      <p>
        <Pieces text={block.text} />
      </p>
    );
  }
  const [head = [], ...rows] = block.rows;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keys
    <section class="scroll" tabIndex={0} aria-label={head.filter(Boolean).join(', ')}>
      <table class="folding">
        <thead>
          <tr>
            {head.map((cell) =>
              cell === '' ? (
                <td key={cell}>{cell}</td>
              ) : (
                <th key={cell} scope="col">
                  {cell}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row[0]}>
              {row.map((cell, at) =>
                at === 0 ? (
                  <th key={cell} scope="row" class="whole strong">
                    <Pieces text={cell} />
                  </th>
                ) : (
                  <td key={cell} class="whole">
                    <Pieces text={cell} />
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const Pieces = ({ text }: { readonly text: string }) => (
  <>
    {piecesOf(text).map(({ kind, text: own, to }) => {
      if (kind === 'code') return <code>{own}</code>;
      return kind === 'link' ? <a href={`/console/system/runbook/${to}`}>{own}</a> : own;
    })}
  </>
);
