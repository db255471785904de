import * as z from 'zod/mini';
import { Badge } from '../components/badge.tsx';
import { Confirm } from '../components/confirm.tsx';
import { PostForm } from '../components/form.tsx';
import { Empty, PageHead } from '../components/page-parts.tsx';
import { settled } from '../management/management.ts';
import { ACCEPTED, type RefusedForm, refusedForm } from '../pages/refused-form.ts';
import { type Page, page, type Screen, screenPath, seeOther, type Visit } from '../pages/screen.ts';
import { Configurations, Modules, Rule } from './rule-answers.ts';
import { RuleFormFields } from './rule-fields.tsx';
import {
  bodyOf,
  fieldsIn,
  fieldsOf,
  newRule,
  type RuleFields,
  sampleText,
  triggerOf,
  withoutOwnSample,
} from './rule-form.ts';
import { RulePreview, renderedRule } from './rule-preview.tsx';

const apiPathOf = (id: string | undefined) => `rules/${encodeURIComponent(id ?? '')}`;

const PLACING = {
  fields: { module: 'trigger', bodyText: 'body', enabled: 'isEnabled' },
  codes: { 'unknown-configuration': 'apiConfigurationId' },
};

const modulesOf = ({ management }: Visit) => management.get('modules', Modules);

export const newRuleScreen: Screen = async (visit) =>
  formPage(visit, { stored: undefined, fields: newRule(await modulesOf(visit), visit.query), refused: ACCEPTED });

export const createRule: Screen = async (visit) => {
  const fields = fieldsIn(visit.form);
  if (visit.form.isTicked('preview')) return formPage(visit, { stored: undefined, fields, refused: ACCEPTED });
  const created = await settled(visit.management.send({ method: 'POST', path: 'rules', body: bodyOf(fields) }, Rule));
  if (!created.ok)
    return formPage(visit, { stored: undefined, fields, refused: refusedForm(created.failure, PLACING) });
  return seeOther(screenPath(visit, apiPathOf(created.value.id), { saved: '1' }));
};

export const ruleScreen: Screen = async (visit) => {
  const stored = await visit.management.get(apiPathOf(visit.path['id']), Rule);
  return formPage(visit, { stored, fields: fieldsOf(stored), refused: ACCEPTED });
};

export const changeRule: Screen = async (visit) => {
  const path = apiPathOf(visit.path['id']);
  const fields = fieldsIn(visit.form);
  const isPreview = visit.form.isTicked('preview');
  const changed = isPreview
    ? undefined
    : await settled(visit.management.send({ method: 'PUT', path, body: bodyOf(fields) }, Rule));
  if (changed?.ok) return seeOther(screenPath(visit, path, { saved: '1' }));
  const stored = await visit.management.get(path, Rule);
  return formPage(visit, { stored, fields, refused: changed ? refusedForm(changed.failure, PLACING) : ACCEPTED });
};

/** Renders the preview alone, for the script of the page. */
export const previewRule: Screen = async (visit) => {
  const modules = await modulesOf(visit);
  const fields = withoutOwnSample(modules, fieldsIn(visit.form));
  const rendered = await renderedRule(visit, fields);
  const preview = { isOver: false, content: <RulePreview modules={modules} fields={fields} rendered={rendered} /> };
  return page('Preview', preview.content, { live: { preview } });
};

interface FormState {
  readonly stored: Rule | undefined;
  readonly fields: RuleFields;
  readonly refused: RefusedForm;
}

async function formPage(visit: Visit, { stored, fields: input, refused }: FormState): Promise<Page> {
  const [modules, configurations] = await Promise.all([
    modulesOf(visit),
    visit.management.get('api-configurations', Configurations, { limit: '100' }),
  ]);
  const fields = withoutOwnSample(modules, input);
  const rendered = await renderedRule(visit, fields);
  const title = stored ? `${stored.moduleName}: ${stored.trigger}` : 'New rule';
  const action = screenPath(visit, stored ? apiPathOf(stored.id) : 'rules/new');
  const preview = { container: 'preview', path: screenPath(visit, 'rules/preview', { fragment: 'preview' }) };
  if (configurations.items.length === 0) return page(title, <NoConfiguration visit={visit} />);
  return page(
    title,
    <>
      <PageHead title={title} under={[screenPath(visit, 'rules'), 'Rules']}>
        {stored && (
          <a class="button danger" href={screenPath(visit, `${apiPathOf(stored.id)}/delete`)}>
            Delete…
          </a>
        )}
      </PageHead>
      <div class="halves">
        <PostForm class="form wide card pad" action={action} preview={preview}>
          <RuleFormFields
            fields={fields}
            refused={refused}
            modules={modules}
            configurations={configurations}
            sample={sampleText(triggerOf(modules, fields))}
          />
          <div class="row">
            <button class="button primary" type="submit">
              {stored ? 'Save' : 'Create'}
            </button>
            <button class="button" type="submit" name="preview" value="1">
              Preview
            </button>
            {visit.query.has('saved') && refused === ACCEPTED && (
              <output>
                <Badge tone="ok" icon="check" label="Saved" />
              </output>
            )}
          </div>
        </PostForm>
        <div id="preview" aria-live="polite">
          <RulePreview modules={modules} fields={fields} rendered={rendered} />
        </div>
      </div>
    </>,
    { status: refused.status },
  );
}

function NoConfiguration({ visit }: { readonly visit: Visit }) {
  const acts = (
    <a class="button primary" href={screenPath(visit, 'api-configurations/new')}>
      New API configuration
    </a>
  );
  return (
    <>
      <PageHead title="New rule" under={[screenPath(visit, 'rules'), 'Rules']} />
      <div class="card">
        <Empty title="There is no API configuration yet" acts={acts}>
          A rule sends webhooks to an API configuration. Create one first.
        </Empty>
      </div>
    </>
  );
}

export const confirmRuleDeletion: Screen = async (visit) => {
  const path = apiPathOf(visit.path['id']);
  const { trigger, moduleName } = await visit.management.get(path, Rule);
  const name = `${moduleName}: ${trigger}`;
  return page(
    'Delete rule',
    <>
      <PageHead title="Delete this rule?" under={[screenPath(visit, path), name]} />
      <Confirm action={screenPath(visit, `${path}/delete`)} label="Delete" back={screenPath(visit, path)}>
        It sends no more webhooks. Existing runs are delivered and stay in the delivery log. This can't be undone.
      </Confirm>
    </>,
  );
};

export const deleteRule: Screen = async (visit) => {
  const gone = await settled(
    visit.management.send({ method: 'DELETE', path: apiPathOf(visit.path['id']) }, z.unknown()),
  );
  if (!gone.ok && gone.failure.status !== 404) throw gone.failure;
  return seeOther(screenPath(visit, 'rules'));
};
