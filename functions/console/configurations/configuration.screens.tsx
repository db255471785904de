import { Badge } from '../components/badge.tsx';
import { type Column, DataTable, Pager } from '../components/data-table.tsx';
import { PostForm } from '../components/form.tsx';
import { ShownOnceNote } from '../components/one-time-secret.tsx';
import { Empty, PageHead, Problem } from '../components/page-parts.tsx';
import { Time } from '../components/time.tsx';
import { type Settled, settled } from '../management/management.ts';
import { ACCEPTED, type RefusedForm, refusedForm } from '../pages/refused-form.ts';
import { type Answer, type Page, page, type Screen, screenPath, seeOther, type Visit } from '../pages/screen.ts';
import { apiPathOf, Configuration, ConfigurationPage, RulesUsing } from './configuration-answers.ts';
import { ConfigurationFormFields } from './configuration-fields.tsx';
import { bodyOf, type ConfigurationFields, fieldsIn, fieldsOf, NEW_CONFIGURATION } from './configuration-form.ts';
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
export const configurationList: Screen = async (visit) => {
  const cursor = visit.query.get('cursor') ?? '';
  const configurations = await visit.management.get('api-configurations', ConfigurationPage, { limit: '50', cursor });
  const create = (
    <a class="button primary" href={screenPath(visit, 'api-configurations/new')}>
      New API configuration
    </a>
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
            columns={columnsOf(visit)}
            rows={configurations.items}
            keyOf={({ id }) => id}
          />
        ) : (
          <Empty title="No API configuration yet" acts={create}>
            An API configuration is one of your endpoints. Rules send webhooks to it.
          </Empty>
        )}
        <Pager
          newest={cursor === '' ? undefined : screenPath(visit, 'api-configurations')}
          older={
            configurations.nextCursor && screenPath(visit, 'api-configurations', { cursor: configurations.nextCursor })
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

const columnsOf = (visit: Visit): readonly Column<Configuration>[] => [
  {
    title: 'Name',
    class: 'strong',
    onPhone: 'first',
    cell: ({ id, name }) => <a href={screenPath(visit, apiPathOf(id))}>{name}</a>,
  },
  { title: 'State', cell: ({ enabled }) => <State isEnabled={enabled ?? true} />, onPhone: 'second' },
  { title: 'Target URL', cell: ({ targetUrl }) => <span title={targetUrl}>{targetUrl}</span>, class: 'clip' },
  { title: 'Authentication', cell: ({ authentication: { type } }) => AUTHENTICATION[type] ?? type, onPhone: 'first' },
  { title: 'Attempts', cell: ({ maxAttempts }) => maxAttempts, isRight: true, onPhone: 'gone' },
  { title: 'Changed', cell: ({ updatedAt }) => <Time at={updatedAt} />, isRight: true, onPhone: 'second' },
];

const State = ({ isEnabled }: { readonly isEnabled: boolean }) =>
  isEnabled ? <Badge tone="ok" icon="check" label="Enabled" /> : <Badge tone="plain" icon="pause" label="Disabled" />;

export const newConfiguration: Screen = (visit) => formPage(visit, undefined, NEW_CONFIGURATION, ACCEPTED);

export const createConfiguration: Screen = async (visit) => {
  const fields = fieldsIn(visit.form);
  const body = bodyOf(fields, visit.form);
  const created = await settled(
    visit.management.send({ method: 'POST', path: 'api-configurations', body }, Configuration),
  );
  if (!created.ok) return formPage(visit, undefined, fields, refusedForm(created.failure, PLACING));
  return savedAnswer(visit, created.value);
};

export const configurationScreen: Screen = async (visit) => {
  const stored = await visit.management.get(apiPathOf(visit.path['id'] ?? ''), Configuration);
  return formPage(visit, stored, fieldsOf(stored), ACCEPTED);
};

export const changeConfiguration: Screen = async (visit) => {
  const path = apiPathOf(visit.path['id'] ?? '');
  const fields = fieldsIn(visit.form);
  const call = { method: 'PUT', path, body: bodyOf(fields, visit.form) } as const;
  const changed = await settled(visit.management.send(call, Configuration));
  if (changed.ok) return savedAnswer(visit, changed.value);
  const stored = await visit.management.get(path, Configuration);
  return formPage(visit, stored, fields, refusedForm(changed.failure, PLACING));
};

/** Shows the signing secret if the save has made one. */
const savedAnswer = (visit: Visit, saved: Configuration): Answer =>
  saved.signingSecret === undefined
    ? seeOther(screenPath(visit, apiPathOf(saved.id), { saved: '1' }))
    : signingSecretPage(visit, saved);

async function formPage(
  visit: Visit,
  stored: Configuration | undefined,
  fields: ConfigurationFields,
  refused: RefusedForm,
): Promise<Page> {
  const title = stored ? stored.name : 'New API configuration';
  const own = stored ? apiPathOf(stored.id) : 'api-configurations/new';
  const rules =
    stored && (await settled(visit.management.get('rules', RulesUsing, { configuration: stored.id, limit: '100' })));
  return page(
    title,
    <>
      <PageHead title={title} under={[screenPath(visit, 'api-configurations'), 'API configurations']}>
        {stored && (
          <a class="button" href={screenPath(visit, 'runs', { configuration: stored.id })}>
            Delivery log
          </a>
        )}
      </PageHead>
      <ShownOnceNote query={visit.query}>If you haven't copied it, rotate it.</ShownOnceNote>
      <div class={stored ? 'beside' : ''}>
        <PostForm class="form card pad" action={screenPath(visit, own)}>
          <ConfigurationFormFields fields={fields} refused={refused} stored={stored?.authentication.type} />
          <div class="row">
            <button class="button primary" type="submit">
              {stored ? 'Save' : 'Create'}
            </button>
            {visit.query.has('saved') && refused === ACCEPTED && (
              <output>
                <Badge tone="ok" icon="check" label="Saved" />
              </output>
            )}
          </div>
        </PostForm>
        {stored && rules && <Beside visit={visit} stored={stored} rules={rules} />}
      </div>
    </>,
    { status: refused.status },
  );
}

interface BesideProps {
  readonly visit: Visit;
  readonly stored: Configuration;
  readonly rules: Settled<RulesUsing>;
}

function Beside({ visit, stored, rules }: BesideProps) {
  return (
    <div class="stack">
      <section class="card pad stack">
        <h2>Test call</h2>
        <p class="muted">
          Sends one POST to the saved endpoint and shows the response. Not recorded in the delivery log.
        </p>
        <PostForm action={screenPath(visit, `${apiPathOf(stored.id)}/test`)}>
          <button class="button" type="submit">
            Send test call
          </button>
        </PostForm>
      </section>
      <SigningPanel visit={visit} stored={stored} />
      <section class="card pad stack">
        <h2>Rules</h2>
        <Using visit={visit} rules={rules} />
      </section>
      <section class="card pad stack">
        <h2>Delete</h2>
        {rules.ok && rules.value.items.length > 0 ? (
          <p class="muted">You can delete it when no rule uses it.</p>
        ) : (
          <div>
            <a class="button danger" href={screenPath(visit, `${apiPathOf(stored.id)}/delete`)}>
              Delete…
            </a>
          </div>
        )}
      </section>
    </div>
  );
}

function Using({ visit, rules }: Omit<BesideProps, 'stored'>) {
  if (!rules.ok) return <Problem failure={rules.failure} />;
  if (rules.value.items.length === 0) {
    return (
      <p class="muted">
        None. <a href={screenPath(visit, 'rules/new')}>Add a rule</a>
      </p>
    );
  }
  return (
    <ul class="stack-s">
      {rules.value.items.map(({ id, trigger, enabled }) => (
        <li key={id} class="row">
          <a href={screenPath(visit, `rules/${encodeURIComponent(id)}`)}>{trigger}</a>
          {!enabled && <State isEnabled={false} />}
        </li>
      ))}
    </ul>
  );
}
