import * as z from 'zod/mini';
import { LinkButton, Submit } from '../components/button.tsx';
import { noticeOf } from '../components/change-notice.tsx';
import { PostForm } from '../components/form.tsx';
import { formatJson, isJson } from '../components/json-text.ts';
import { Empty, PageHead } from '../components/page-parts.tsx';
import { settled } from '../management/management.ts';
import { confirmPage } from '../pages/confirm-page.tsx';
import type { Form } from '../pages/form.ts';
import { ACCEPTED, type RefusedForm, refusedForm } from '../pages/refused-form.ts';
import { type Page, type PageRequest, page, type Screen, screenPath, seeOther } from '../pages/screen.ts';
import { Configurations, eventName, Modules, Rule, ruleTitle } from './rule-answers.ts';
import { RuleFormFields } from './rule-fields.tsx';
import {
  bodyOf,
  fieldsIn,
  fieldsOf,
  headerFault,
  newRule,
  type RuleFields,
  sampleText,
  triggerOf,
  withoutOwnSample,
} from './rule-form.ts';
import { RulePreview, renderedRule } from './rule-preview.tsx';
import { isBuiltIn } from './test-event.ts';

const apiPathOf = (id: string | undefined) => `rules/${encodeURIComponent(id ?? '')}`;

const PLACING = {
  fields: { module: 'trigger', bodyText: 'body', enabled: 'isEnabled' },
  codes: { 'unknown-configuration': 'apiConfigurationId' },
};

const modulesOf = ({ management }: PageRequest) => management.get('modules', Modules);

/** The refusal of a form whose headers are not such; the API sees only what could be read. */
function wrongIn({ headers }: RuleFields): RefusedForm | undefined {
  const fault = headerFault(headers);
  return fault === undefined ? undefined : { ...ACCEPTED, wrong: { headers: fault }, status: 400 };
}

export const newRuleScreen: Screen = async (pageRequest) =>
  formPage(pageRequest, {
    stored: undefined,
    fields: newRule(await modulesOf(pageRequest), pageRequest.query),
    refused: ACCEPTED,
  });

export const createRule: Screen = async (pageRequest) => {
  const fields = fieldsIn(pageRequest.form);
  if (isPreview(pageRequest.form)) return formPage(pageRequest, { stored: undefined, ...previewOf(pageRequest.form) });
  const wrong = wrongIn(fields);
  if (wrong) return formPage(pageRequest, { stored: undefined, fields, refused: wrong });
  const created = await settled(
    pageRequest.management.send({ method: 'POST', path: 'rules', body: bodyOf(fields) }, Rule),
  );
  if (!created.ok)
    return formPage(pageRequest, { stored: undefined, fields, refused: refusedForm(created.failure, PLACING) });
  return seeOther(screenPath(pageRequest, apiPathOf(created.value.id), noticeOf('created')));
};

export const ruleScreen: Screen = async (pageRequest) => {
  const stored = await pageRequest.management.get(apiPathOf(pageRequest.path['id']), Rule);
  return formPage(pageRequest, { stored, fields: fieldsOf(stored), refused: ACCEPTED });
};

export const changeRule: Screen = async (pageRequest) => {
  const path = apiPathOf(pageRequest.path['id']);
  const fields = fieldsIn(pageRequest.form);
  if (isPreview(pageRequest.form)) {
    const stored = await pageRequest.management.get(path, Rule);
    return formPage(pageRequest, { stored, ...previewOf(pageRequest.form) });
  }
  const wrong = wrongIn(fields);
  if (wrong)
    return formPage(pageRequest, { stored: await pageRequest.management.get(path, Rule), fields, refused: wrong });
  const changed = await settled(pageRequest.management.send({ method: 'PUT', path, body: bodyOf(fields) }, Rule));
  if (changed.ok) return seeOther(screenPath(pageRequest, path, noticeOf('saved')));
  const stored = await pageRequest.management.get(path, Rule);
  return formPage(pageRequest, { stored, fields, refused: refusedForm(changed.failure, PLACING) });
};

/** Returns whether the form is to be shown again, with a preview or a formatted body, and nothing is to be saved. */
const isPreview = (form: Form) => form.isChecked('preview') || form.isChecked('format');

/** The fields of a form that is shown again; its body is formatted if it is JSON. */
function previewOf(form: Form): Pick<FormState, 'fields' | 'refused'> {
  const fields = fieldsIn(form);
  if (!form.isChecked('format')) return { fields, refused: ACCEPTED };
  if (isJson(fields.body)) return { fields: { ...fields, body: formatJson(fields.body) }, refused: ACCEPTED };
  return { fields, refused: { ...ACCEPTED, wrong: { body: 'This is not JSON yet, so it was not formatted.' } } };
}

/** Renders the preview alone, for the script of the page. */
export const previewRule: Screen = async (pageRequest) => {
  const modules = await modulesOf(pageRequest);
  const fields = withoutOwnSample(modules, fieldsIn(pageRequest.form));
  const rendered = await renderedRule(pageRequest, fields);
  const preview = { isOver: false, content: <RulePreview modules={modules} fields={fields} rendered={rendered} /> };
  return page('Preview', preview.content, { live: { preview } });
};

interface FormState {
  readonly stored: Rule | undefined;
  readonly fields: RuleFields;
  readonly refused: RefusedForm;
}

async function formPage(pageRequest: PageRequest, { stored, fields: input, refused }: FormState): Promise<Page> {
  const [modules, configurations] = await Promise.all([
    modulesOf(pageRequest),
    pageRequest.management.get('api-configurations', Configurations, { limit: '100' }),
  ]);
  const fields = withoutOwnSample(modules, input);
  const rendered = await renderedRule(pageRequest, fields);
  const title = stored ? ruleTitle(stored) : 'New rule';
  const action = screenPath(pageRequest, stored ? apiPathOf(stored.id) : 'rules/new');
  const preview = { container: 'preview', path: screenPath(pageRequest, 'rules/preview', { fragment: 'preview' }) };
  if (configurations.items.length === 0) return page(title, <NoConfiguration pageRequest={pageRequest} />);
  return page(
    title,
    <>
      <PageHead
        title={title}
        lead={stored && stored.name !== '' && eventName(stored)}
        under={[screenPath(pageRequest, 'rules'), 'Rules']}
      >
        {stored && <Acts pageRequest={pageRequest} rule={stored} />}
      </PageHead>
      <div class="halves">
        <PostForm class="form wide card pad" action={action} preview={preview} sends={stored && bodyOf(fields)}>
          <RuleFormFields
            fields={fields}
            refused={refused}
            modules={modules}
            configurations={configurations}
            sample={sampleText(triggerOf(modules, fields))}
          />
          <div class="row">
            <Submit kind="primary" label={stored ? 'Save' : 'Create'} />
            <Submit label="Preview" name="preview" value="1" />
            <Submit label="Format" name="format" value="1" />
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

function Acts({ pageRequest, rule: { id, module } }: { readonly pageRequest: PageRequest; readonly rule: Rule }) {
  return (
    <>
      {!isBuiltIn(module) && (
        <LinkButton label="Send test event…" href={screenPath(pageRequest, `${apiPathOf(id)}/test`)} />
      )}
      <LinkButton kind="danger" label="Delete…" href={screenPath(pageRequest, `${apiPathOf(id)}/delete`)} />
    </>
  );
}

function NoConfiguration({ pageRequest }: { readonly pageRequest: PageRequest }) {
  const acts = (
    <LinkButton kind="primary" label="New API configuration" href={screenPath(pageRequest, 'api-configurations/new')} />
  );
  return (
    <>
      <PageHead title="New rule" under={[screenPath(pageRequest, 'rules'), 'Rules']} />
      <div class="card">
        <Empty title="There is no API configuration yet" acts={acts}>
          A rule sends webhooks to an API configuration. Create one first.
        </Empty>
      </div>
    </>
  );
}

export const confirmRuleDeletion: Screen = async (pageRequest) => {
  const path = apiPathOf(pageRequest.path['id']);
  const name = ruleTitle(await pageRequest.management.get(path, Rule));
  return confirmPage({
    title: 'Delete this rule?',
    under: [screenPath(pageRequest, path), name],
    text: "It will send no more webhooks. Existing runs are still delivered and stay in the delivery log. This can't be undone.",
    action: screenPath(pageRequest, `${path}/delete`),
    label: 'Delete',
  });
};

export const deleteRule: Screen = async (pageRequest) => {
  const gone = await settled(
    pageRequest.management.send({ method: 'DELETE', path: apiPathOf(pageRequest.path['id']) }, z.unknown()),
  );
  if (!gone.ok && gone.failure.status !== 404) throw gone.failure;
  return seeOther(screenPath(pageRequest, 'rules', noticeOf('deleted')));
};
