import * as z from 'zod/mini';
import { LinkButton } from '../components/button.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { JsonCode } from '../components/json-code.tsx';
import { Card, Empty, Facts, Note, PageHead } from '../components/page-parts.tsx';
import { Time } from '../components/time.tsx';
import { confirmPage } from '../pages/confirm-page.tsx';
import { type PageRequest, page, type Screen, seeOther } from '../pages/screen.ts';
import { DeadLetter, type LetterLine, LetterList } from './dead-letter-answers.ts';

const SYSTEM = ['/console/system', 'System'] as const;

export const deadLettersPath = (queue: string) => `/console/system/dead-letters/${encodeURIComponent(queue)}`;
const letterPath = (queue: string, id: string) => `${deadLettersPath(queue)}/letters/${encodeURIComponent(id)}`;
const apiPathOf = (queue: string) => `system/dead-letters/${encodeURIComponent(queue)}`;
const apiLetterOf = (queue: string, id: string) => `${apiPathOf(queue)}/${encodeURIComponent(id)}`;

const namesIn = ({ path: { queue = '', id = '' } }: PageRequest) => ({ queue, id });
const titleOf = (queue: string) => `Dead letters of ${queue}`;

/** The oldest hundred dead letters of a queue. */
export const deadLetterList: Screen = async (pageRequest) => {
  const { queue } = namesIn(pageRequest);
  const { items } = await pageRequest.management.get(apiPathOf(queue), LetterList);
  return page(
    titleOf(queue),
    <>
      <PageHead title={titleOf(queue)} lead="Messages that failed too often, kept for 14 days." under={SYSTEM}>
        {items.length > 0 && <LinkButton label="Send back to work…" href={`${deadLettersPath(queue)}/redrive`} />}
      </PageHead>
      <Done query={pageRequest.query} />
      <div class="card">
        {items.length > 0 ? (
          <DataTable caption={titleOf(queue)} columns={columnsOf(queue)} rows={items} keyOf={({ id }) => id} />
        ) : (
          <Empty title="No dead letters">Somebody else may be looking at them. Try again after two minutes.</Empty>
        )}
      </div>
    </>,
  );
};

function Done({ query }: Pick<PageRequest, 'query'>) {
  const text = query.has('dropped')
    ? 'The message was deleted.'
    : query.has('redriven') && 'The messages are being sent back to work.';
  return text ? (
    <div class="spaced">
      <Note tone="ok">{text}</Note>
    </div>
  ) : null;
}

const columnsOf = (queue: string): readonly Column<LetterLine>[] => [
  {
    title: 'Message',
    class: 'mono break',
    cell: ({ id }) => <a href={letterPath(queue, id)}>{id}</a>,
  },
  { title: 'Content', class: 'mono break', cell: ({ beginning }) => beginning },
  { title: 'Sent', isRight: true, onPhone: 'first', cell: ({ sentAt }) => <Time at={sentAt} /> },
];

/** One dead letter with all that the queue knows of it. */
export const deadLetter: Screen = async (pageRequest) => {
  const { queue, id } = namesIn(pageRequest);
  const { sentAt, attributes, body } = await pageRequest.management.get(apiLetterOf(queue, id), DeadLetter);
  const facts = Object.entries(attributes).map(([name, text]) => [name, <span class="break">{text}</span>] as const);
  return page(
    'Dead letter',
    <>
      <PageHead
        title="Dead letter"
        lead={<span class="mono">{id}</span>}
        under={[deadLettersPath(queue), titleOf(queue)]}
      >
        <LinkButton kind="danger" label="Delete…" href={`${letterPath(queue, id)}/drop`} />
      </PageHead>
      <div class="stack">
        <Card title="Content">
          <JsonCode id="body" text={body} label="Content" />
        </Card>
        <Card title="Attributes">
          <Facts facts={{ Sent: <Time at={sentAt} />, ...Object.fromEntries(facts) }} />
        </Card>
      </div>
    </>,
  );
};

export const confirmDrop: Screen = (pageRequest) => {
  const { queue, id } = namesIn(pageRequest);
  const back = letterPath(queue, id);
  return confirmPage({
    title: 'Delete this message?',
    under: [back, 'Dead letter'],
    text: "Its work is never done. This can't be undone.",
    action: `${back}/drop`,
    label: 'Delete',
  });
};

export const dropDeadLetter: Screen = async (pageRequest) => {
  const { queue, id } = namesIn(pageRequest);
  await pageRequest.management.send({ method: 'DELETE', path: apiLetterOf(queue, id) }, z.unknown());
  return seeOther(`${deadLettersPath(queue)}?dropped=1`);
};

export const confirmRedrive: Screen = (pageRequest) => {
  const { queue } = namesIn(pageRequest);
  const back = deadLettersPath(queue);
  return confirmPage({
    title: `Send the dead letters of ${queue} back to work?`,
    under: [back, titleOf(queue)],
    text: 'Fix the cause first: messages that fail again come back here. All messages of the queue are sent.',
    action: `${back}/redrive`,
    label: 'Send back',
  });
};

export const redriveDeadLetters: Screen = async (pageRequest) => {
  const { queue } = namesIn(pageRequest);
  await pageRequest.management.send({ method: 'POST', path: `${apiPathOf(queue)}/redrive` }, z.unknown());
  return seeOther(`${deadLettersPath(queue)}?redriven=1`);
};
