import type * as z from 'zod/mini';
import { Badge } from '../components/badge.tsx';
import { LinkButton, Submit } from '../components/button.tsx';
import { type Notice, noticeOf } from '../components/change-notice.tsx';
import { type Column, DataTable, Pager } from '../components/data-table.tsx';
import { PostForm } from '../components/form.tsx';
import { ShownOnceNote } from '../components/one-time-secret.tsx';
import { Card, Empty, PageHead, Problem } from '../components/page-parts.tsx';
import { Time } from '../components/time.tsx';
import { type Settled, settled } from '../management/management.ts';
import { ACCEPTED, type RefusedForm, refusedForm } from '../pages/refused-form.ts';
import { type Answer, type Page, type PageRequest, page, type Screen, screenPath, seeOther } from '../pages/screen.ts';
import { RunPage } from '../runs/run-answers.ts';
import { apiPathOf, Configuration, ConfigurationPage, RulesUsing } from './configuration-answers.ts';
import { ConfigurationFormFields } from './configuration-fields.tsx';
import { bodyOf, type ConfigurationFields, fieldsIn, fieldsOf, NEW_CONFIGURATION } from './configuration-form.ts';
import { DeliveriesPanel, FailingNote } from './deliveries-panel.tsx';
import { RECENT_MAX } from './recent-deliveries.ts';
import { SigningPanel, signingSecretPage } from './signing.screens.tsx';

const PLACING = {
  fields: {
    'authentication.type': 'type',
    'authentication.headerName': 'headerName',
    'authentication.key': 'key',
    'authentication.token': 'token',
    'authentication.username': 'username',
    'authentication.password': 'password',
    enabled: 'isEnabled',
  },
  codes: { 'name-taken': 'name', 'invalid-target': 'targetUrl' },
};

/** The list of API configurations. */
export const configurationList: Screen = async (pageRequest) => {
  const cursor = pageRequest.query.get('cursor') ?? '';
  const configurations = await pageRequest.management.get('api-configurations', ConfigurationPage, {
    limit: '50',
    cursor,
  });
  const create = (
    <LinkButton kind="primary" label="New API configuration" href={screenPath(pageRequest, 'api-configurations/new')} />
  );
  return page(
    'API configurations',
    <>
      <PageHead title="API configurations" lead="Endpoints for your webhooks, with authentication and retries.">
        {configurations.items.length > 0 && create}
      </PageHead>
      <div class="card">
        {configurations.items.length > 0 ? (
          <DataTable
            caption="API configurations"
            columns={columnsOf(pageRequest)}
            rows={configurations.items}
            keyOf={({ id }) => id}
          />
        ) : (
          <Empty title="No API configuration yet" acts={create}>
            An API configuration describes one of your endpoints. Rules send webhooks to it.
          </Empty>
        )}
        <Pager
          newest={cursor === '' ? undefined : screenPath(pageRequest, 'api-configurations')}
          older={
            configurations.nextCursor &&
            screenPath(pageRequest, 'api-configurations', { cursor: configurations.nextCursor })
          }
        />
      </div>
    </>,
  );
};

const AUTHENTICATION: Readonly<Record<string, string>> = {
  none: 'None',
  apiKey: 'API key',
  bearer: 'Bearer',
  basic: 'Basic',
};

const columnsOf = (pageRequest: PageRequest): readonly Column<Configuration>[] => [
  {
    title: 'Name',
    class: 'strong',
    onPhone: 'first',
    cell: ({ id, name }) => <a href={screenPath(pageRequest, apiPathOf(id))}>{name}</a>,
  },
  { title: 'State', cell: ({ enabled }) => <State isEnabled={enabled ?? true} />, onPhone: 'second' },
  { title: 'Target URL', cell: ({ targetUrl }) => <span title={targetUrl}>{targetUrl}</span>, class: 'clip' },
  { title: 'Authentication', cell: ({ authentication: { type } }) => AUTHENTICATION[type] ?? type, onPhone: 'first' },
  { title: 'Attempts', cell: ({ maxAttempts }) => maxAttempts, isRight: true, onPhone: 'gone' },
  { title: 'Changed', cell: ({ updatedAt }) => <Time at={updatedAt} />, isRight: true, onPhone: 'second' },
];

const State = ({ isEnabled }: { readonly isEnabled: boolean }) =>
  isEnabled ? <Badge tone="ok" icon="check" label="Enabled" /> : <Badge tone="plain" icon="pause" label="Disabled" />;

export const newConfiguration: Screen = (pageRequest) => formPage(pageRequest, undefined, NEW_CONFIGURATION, ACCEPTED);

export const createConfiguration: Screen = async (pageRequest) => {
  const fields = fieldsIn(pageRequest.form);
  const body = bodyOf(fields, pageRequest.form);
  const created = await settled(
    pageRequest.management.send({ method: 'POST', path: 'api-configurations', body }, Configuration),
  );
  if (!created.ok) return formPage(pageRequest, undefined, fields, refusedForm(created.failure, PLACING));
  return savedAnswer(pageRequest, created.value, 'created');
};

export const configurationScreen: Screen = async (pageRequest) => {
  const stored = await pageRequest.management.get(apiPathOf(pageRequest.path['id'] ?? ''), Configuration);
  return formPage(pageRequest, stored, fieldsOf(stored), ACCEPTED);
};

export const changeConfiguration: Screen = async (pageRequest) => {
  const path = apiPathOf(pageRequest.path['id'] ?? '');
  const fields = fieldsIn(pageRequest.form);
  const call = { method: 'PUT', path, body: bodyOf(fields, pageRequest.form) } as const;
  const changed = await settled(pageRequest.management.send(call, Configuration));
  if (changed.ok) return savedAnswer(pageRequest, changed.value);
  const stored = await pageRequest.management.get(path, Configuration);
  return formPage(pageRequest, stored, fields, refusedForm(changed.failure, PLACING));
};

/** Shows the signing secret if the save has made one. */
const savedAnswer = (pageRequest: PageRequest, saved: Configuration, notice: Notice = 'saved'): Answer =>
  saved.signingSecret === undefined
    ? seeOther(screenPath(pageRequest, apiPathOf(saved.id), noticeOf(notice)))
    : signingSecretPage(pageRequest, saved);

async function formPage(
  pageRequest: PageRequest,
  stored: Configuration | undefined,
  fields: ConfigurationFields,
  refused: RefusedForm,
): Promise<Page> {
  const title = stored ? stored.name : 'New API configuration';
  const own = stored ? apiPathOf(stored.id) : 'api-configurations/new';
  const uses = stored && (await usesOf(pageRequest, stored));
  return page(
    title,
    <>
      <PageHead
        title={title}
        lead={stored && <State isEnabled={stored.enabled ?? true} />}
        under={[screenPath(pageRequest, 'api-configurations'), 'API configurations']}
      >
        {stored && (
          <LinkButton label="Delivery log" href={screenPath(pageRequest, 'runs', { configuration: stored.id })} />
        )}
      </PageHead>
      <ShownOnceNote query={pageRequest.query}>If you haven't copied it, rotate it.</ShownOnceNote>
      {uses && <FailingNote pageRequest={pageRequest} configuration={uses.stored} runs={uses.runs} />}
      <div class={stored ? 'beside' : ''}>
        <PostForm class="form card pad" action={screenPath(pageRequest, own)}>
          <ConfigurationFormFields fields={fields} refused={refused} stored={stored?.authentication.type} />
          <div class="row">
            <Submit kind="primary" label={stored ? 'Save' : 'Create'} />
          </div>
        </PostForm>
        {uses && <Beside pageRequest={pageRequest} {...uses} />}
      </div>
    </>,
    { status: refused.status },
  );
}

/** A configuration with the rules that use it and its newest runs. */
interface Uses {
  readonly stored: Configuration;
  readonly rules: Settled<RulesUsing>;
  readonly runs: Settled<z.output<typeof RunPage>>;
}

async function usesOf({ management }: PageRequest, stored: Configuration): Promise<Uses> {
  const configuration = stored.id;
  const [rules, runs] = await Promise.all([
    settled(management.get('rules', RulesUsing, { configuration, limit: '100' })),
    settled(management.get('runs', RunPage, { configuration, limit: String(RECENT_MAX) })),
  ]);
  return { stored, rules, runs };
}

interface BesideProps extends Uses {
  readonly pageRequest: PageRequest;
}

function Beside({ pageRequest, stored, rules, runs }: BesideProps) {
  return (
    <div class="stack">
      <DeliveriesPanel runs={runs} />
      <Card title="Test call">
        <p class="muted">
          Sends one POST to the saved endpoint and shows the response. Not recorded in the delivery log.
        </p>
        <PostForm action={screenPath(pageRequest, `${apiPathOf(stored.id)}/test`)}>
          <Submit label="Send test call" />
        </PostForm>
      </Card>
      <SigningPanel pageRequest={pageRequest} stored={stored} />
      <Card title="Rules">
        <Using pageRequest={pageRequest} rules={rules} stored={stored} />
      </Card>
      <Card title="Delete">
        {rules.ok && rules.value.items.length > 0 ? (
          <p class="muted">You can delete it when no rule uses it.</p>
        ) : (
          <div>
            <LinkButton
              kind="danger"
              label="Delete…"
              href={screenPath(pageRequest, `${apiPathOf(stored.id)}/delete`)}
            />
          </div>
        )}
      </Card>
    </div>
  );
}

function Using({
  pageRequest,
  rules,
  stored: { id: configuration },
}: Pick<BesideProps, 'pageRequest' | 'rules' | 'stored'>) {
  if (!rules.ok) return <Problem failure={rules.failure} />;
  if (rules.value.items.length === 0) {
    return (
      <p class="muted">
        None. <a href={screenPath(pageRequest, 'rules/new', { configuration })}>Add a rule</a>
      </p>
    );
  }
  return (
    <ul class="stack-s">
      {rules.value.items.map(({ id, name, moduleName, trigger, enabled }) => (
        <li key={id} class="row">
          <a href={screenPath(pageRequest, `rules/${encodeURIComponent(id)}`)}>{name || `${moduleName}: ${trigger}`}</a>
          {!enabled && <State isEnabled={false} />}
        </li>
      ))}
    </ul>
  );
}
