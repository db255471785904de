import type { ComponentChildren } from 'preact';
import * as z from 'zod/mini';
import { LinkButton, Submit } from '../components/button.tsx';
import { withNotice } from '../components/change-notice.tsx';
import { PostForm } from '../components/form.tsx';
import { Card, PageHead } from '../components/page-parts.tsx';
import { ManagementFailure, settled } from '../management/management.ts';
import { confirmPage } from '../pages/confirm-page.tsx';
import { ACCEPTED, type RefusedForm } from '../pages/refused-form.ts';
import { refusedPage } from '../pages/refused-page.tsx';
import { type Answer, type Page, type PageRequest, page, seeOther } from '../pages/screen.ts';
import { FormControls } from './form-controls.tsx';
import {
  bodyOf,
  derivedTexts,
  type FieldTexts,
  type FormField,
  fieldsIn,
  initialTexts,
  refusedFields,
  textsIn,
  textsOf,
} from './form-fields.ts';
import {
  allFields,
  apiItemPath,
  changingSections,
  creationOf,
  itemPath,
  listPath,
  newPath,
  type Resource,
  storedItem,
} from './resource.ts';

/** The content of a form, and its faults. */
export interface FormState {
  readonly texts: FieldTexts;
  readonly refused: RefusedForm;
}

/** The form for a new one. */
export function newResourcePage<Item extends object>(
  pageRequest: PageRequest,
  resource: Resource<Item>,
  { texts, refused }: FormState = { texts: initialTexts(allFields(resource)), refused: ACCEPTED },
): Page {
  const { title, button } = creationOf(resource);
  return page(
    title,
    <>
      <PageHead title={title} under={[listPath(pageRequest, resource), resource.title]} />
      <PostForm class="form card pad" action={newPath(pageRequest, resource)}>
        <FormControls sections={resource.sections} texts={texts} refused={refused} />
        <div class="row">
          <Submit kind="primary" label={button} />
        </div>
      </PostForm>
    </>,
    { status: refused.status },
  );
}

/** Creates one of what the form states. @param next the answer once it is created */
export async function createResource<Item extends object, Made>(
  pageRequest: PageRequest,
  resource: Resource<Item>,
  { answer, next }: { readonly answer: z.ZodMiniType<Made>; readonly next: (made: Made) => Answer },
): Promise<Answer> {
  const texts = derivedTexts(allFields(resource), textsIn(allFields(resource), pageRequest.form));
  const { body, wrong } = bodyOf(allFields(resource), texts);
  const creation = await settled(pageRequest.management.send({ method: 'POST', path: resource.apiPath, body }, answer));
  if (creation.ok) return next(creation.value);
  return newResourcePage(pageRequest, resource, {
    texts,
    refused: withoutDerived(
      refusedFields(creation.failure, { fields: allFields(resource), codes: resource.codes, wrong }),
      allFields(resource),
      texts,
    ),
  });
}

/** Leaves out the fault of a field that would follow from another one, which has a fault itself. */
function withoutDerived(refused: RefusedForm, fields: readonly FormField[], texts: FieldTexts): RefusedForm {
  const own = Object.entries(refused.wrong).filter(
    ([name]) => texts[name] !== '' || !fields.some((field) => field.name === name && field.derived),
  );
  return own.length > 0 ? { ...refused, wrong: Object.fromEntries(own) } : refused;
}

/** Leads to the page of a new one. */
export const leadToCreated = (pageRequest: PageRequest, resource: Pick<Resource<never>, 'path'>, id: string) =>
  seeOther(withNotice(itemPath(pageRequest, resource, id), 'created'));

export const storedState = <Item extends object>(resource: Resource<Item>, item: Item): FormState => ({
  texts: textsOf(fieldsIn(changingSections(resource)), item),
  refused: ACCEPTED,
});

/** Saves what the form changes. @param show the page of one, with the form as it was sent */
export async function changeResource<Item extends object>(
  pageRequest: PageRequest,
  resource: Resource<Item>,
  show: (item: Item, state: FormState) => Promise<Page> | Page,
): Promise<Answer> {
  const stored = await storedItem(pageRequest, resource);
  const fields = fieldsIn(changingSections(resource));
  const texts = textsIn(fields, pageRequest.form);
  const { body: change, wrong } = bodyOf(fields, texts, textsOf(fields, stored));
  if (Object.keys(change).length > 0) {
    const body = { ...change, ...(resource.hasRevision && { revision: Number(pageRequest.form.text('revision')) }) };
    const path = apiItemPath(resource, pageRequest.path['id']);
    const saved = await settled(pageRequest.management.send({ method: 'PATCH', path, body }, resource.answer));
    if (!saved.ok)
      return show(stored, {
        texts,
        refused: refusedFields(inWords(saved.failure, resource), { fields, codes: resource.codes, wrong }),
      });
  }
  return seeOther(withNotice(itemPath(pageRequest, resource, resource.idOf(stored)), 'saved'));
}

function inWords(failure: ManagementFailure, { one }: Pick<Resource<never>, 'one'>): ManagementFailure {
  if (failure.code !== 'changed-meanwhile') return failure;
  const detail = `Someone has changed this ${one} since you opened it. Open it again and repeat your changes.`;
  return new ManagementFailure({ status: failure.status, code: failure.code, detail, requestId: failure.requestId });
}

interface ItemPageParts {
  readonly state: FormState;
  readonly lead?: ComponentChildren;
  /** The buttons in the head of the page. */
  readonly acts?: ComponentChildren;
  /** The cards beside the form. */
  readonly beside?: ComponentChildren;
  /** The notes and cards above the form. */
  readonly above?: ComponentChildren;
  /** The card below the form and the cards beside it. */
  readonly below?: ComponentChildren;
  /** The text in place of the deletion. */
  readonly removal?: ComponentChildren;
}

/** The page of one: its form, with cards beside it. */
export function itemPage<Item extends object>(
  pageRequest: PageRequest,
  resource: Resource<Item>,
  item: Item,
  { state: { texts, refused }, lead, acts, beside, above, below, removal }: ItemPageParts,
): Page {
  const own = itemPath(pageRequest, resource, resource.idOf(item));
  const { revision } = item as { readonly revision?: number };
  // A form that was refused stays based on the revision that its person has seen.
  const base = refused === ACCEPTED ? String(revision) : pageRequest.form.text('revision');
  return page(
    resource.nameOf(item),
    <>
      <PageHead title={resource.nameOf(item)} lead={lead} under={[listPath(pageRequest, resource), resource.title]}>
        {acts}
      </PageHead>
      <div class={below ? 'beside spaced' : 'beside'}>
        <div class="stack">
          {/* A form that was refused stands at the top of its page. */}
          {refused === ACCEPTED && above}
          <PostForm class="form wide card pad" action={own} sends={statedBody(resource, texts)}>
            {resource.hasRevision && <input type="hidden" name="revision" value={base} />}
            <FormControls sections={changingSections(resource)} texts={texts} refused={refused} />
            <div class="row">
              <Submit kind="primary" label="Save" />
            </div>
          </PostForm>
        </div>
        <div class="stack">
          {beside}
          {removal ?? (
            <Card title="Delete">
              <div>
                <LinkButton kind="danger" label="Delete…" href={`${own}/delete`} />
              </div>
            </Card>
          )}
        </div>
      </div>
      {below}
    </>,
    { status: refused.status },
  );
}

/** Returns the row that its fields state; undefined if all of them are empty. */
function statedBody<Item extends object>(resource: Resource<Item>, texts: FieldTexts): object | undefined {
  const { body } = bodyOf(fieldsIn(changingSections(resource)), texts);
  return Object.keys(body).length > 0 ? body : undefined;
}

/** Asks before one is deleted. */
export async function confirmItemDeletion<Item extends object>(
  pageRequest: PageRequest,
  resource: Resource<Item>,
): Promise<Page> {
  const item = await storedItem(pageRequest, resource);
  const back = itemPath(pageRequest, resource, resource.idOf(item));
  const name = resource.nameOf(item);
  return confirmPage({
    title: `Delete ${name}?`,
    under: [back, name],
    text: `${resource.deletion} This can't be undone.`,
    action: `${back}/delete`,
    label: 'Delete',
  });
}

/** Deletes one. One that is already gone is deleted, too. */
export async function deleteItem<Item extends object>(
  pageRequest: PageRequest,
  resource: Resource<Item>,
): Promise<Answer> {
  const path = apiItemPath(resource, pageRequest.path['id']);
  const gone = await settled(pageRequest.management.send({ method: 'DELETE', path }, z.unknown()));
  if (gone.ok || gone.failure.status === 404) return seeOther(listPath(pageRequest, resource, { deleted: '1' }));
  return refusedPage('Not deleted', [listPath(pageRequest, resource), resource.title], gone.failure);
}
