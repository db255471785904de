import * as z from 'zod/mini';
import { Submit } from '../components/button.tsx';
import { FileField, fileFault } from '../components/file-field.tsx';
import { Field, PostForm, Select } from '../components/form.tsx';
import { Empty, PageHead, Problem } from '../components/page-parts.tsx';
import { type Management, type ManagementFailure, settled } from '../management/management.ts';
import { ACCEPTED, type RefusedForm, refusedForm } from '../pages/refused-form.ts';
import { type Page, type PageRequest, page, type Screen, screenPath, seeOther } from '../pages/screen.ts';
import { recordPath } from './review-queue.screen.tsx';
import { type SubmissionFields, submissionIn, submitPicture } from './submission-form.ts';

const PICTURE_BYTES_MAX = 10_000_000;
const PLACING = {
  fields: { campaignPermalink: 'campaign', 'images.0.size': 'file', 'images.0.id': 'file' },
  codes: {
    'campaign-unavailable': 'campaign',
    'images-disabled': 'app',
    'submission-refused': 'customer',
    'no-such-customer': 'customer',
  },
};

/** The form that submits a picture for a customer. The query may name the campaign and the customer. */
export const newRecord: Screen = ({ query, ...pageRequest }) =>
  formPage(
    { query, ...pageRequest },
    { campaign: query.get('campaign') ?? '', app: '', customer: query.get('customer') ?? '' },
  );

const Choices = z.object({
  items: z.array(z.object({ id: z.unknown(), permalink: z.optional(z.string()), name: z.string() })),
  nextCursor: z.optional(z.string()),
});
const CHOICES_MAX = '100';

/** The first apps or campaigns, as options. Undefined if there are more. */
async function choicesAt(management: Management, path: string) {
  const { items, nextCursor } = await management.get(path, Choices, { limit: CHOICES_MAX });
  const options = items.map(({ id, permalink = String(id), name }) => [permalink, name] as const);
  return nextCursor === undefined ? options : undefined;
}

async function formPage(
  pageRequest: PageRequest,
  fields: SubmissionFields,
  refused: RefusedForm = ACCEPTED,
): Promise<Page> {
  const { management } = pageRequest;
  const [campaigns, apps] = await Promise.all([
    choicesAt(management, 'loyalty/campaigns'),
    choicesAt(management, 'loyalty/apps'),
  ]);
  const title = 'Submit a receipt';
  const lacking = [
    ...(campaigns?.length === 0 ? (['campaigns'] as const) : []),
    ...(apps?.length === 0 ? (['apps'] as const) : []),
  ];
  return page(
    title,
    <>
      <PageHead
        title={title}
        lead="It is examined like a submission of the customer, counts towards the customer's limit, and may earn points."
        under={[screenPath(pageRequest, 'images'), 'Review queue']}
      />
      {lacking.length > 0 ? (
        <Lacking pageRequest={pageRequest} lacking={lacking} />
      ) : (
        <SubmissionForm pageRequest={pageRequest} fields={fields} options={{ campaigns, apps }} refused={refused} />
      )}
    </>,
    { status: refused.status },
  );
}

type Options = readonly (readonly [value: string, label: string])[] | undefined;

interface SubmissionFormProps {
  readonly pageRequest: PageRequest;
  readonly fields: SubmissionFields;
  readonly options: { readonly campaigns: Options; readonly apps: Options };
  readonly refused: RefusedForm;
}

function SubmissionForm({ pageRequest, fields, options, refused: { wrong, failure } }: SubmissionFormProps) {
  const own = (below: string) => screenPath(pageRequest, `images/-/${below}`);
  return (
    <PostForm class="form card pad" action={own('new')} upload={{ begin: own('uploads'), next: own('submitted') }}>
      {failure && <Problem failure={failure} />}
      <Choice
        name="campaign"
        label="Campaign"
        hint="Its permalink"
        value={fields.campaign}
        options={options.campaigns}
        error={wrong['campaign']}
      />
      <Choice name="app" label="App" hint="Its id" value={fields.app} options={options.apps} error={wrong['app']} />
      <Field
        name="customer"
        label="Customer"
        value={fields.customer}
        hint="Id or external id"
        error={wrong['customer']}
        isRequired
      />
      <FileField
        accept="image/jpeg,image/png,image/gif,image/tiff,application/pdf"
        hint="A picture as JPEG, PNG, GIF, TIFF or PDF."
        error={wrong['file']}
        bytesMax={PICTURE_BYTES_MAX}
      />
      <div class="row">
        <Submit kind="primary" label="Submit" />
      </div>
    </PostForm>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly options: Options;
  readonly error: string | undefined;
}

const Choice = ({ options, hint, ...field }: ChoiceProps) =>
  options ? <Select {...field} options={options} /> : <Field {...field} hint={hint} isRequired />;

interface LackingProps {
  readonly pageRequest: PageRequest;
  readonly lacking: readonly ('campaigns' | 'apps')[];
}

const Lacking = ({ pageRequest, lacking }: LackingProps) => (
  <Empty
    title={`Create ${lacking.includes('campaigns') ? 'a campaign' : 'an app'} first`}
    acts={lacking.map((path) => (
      <a key={path} class="button" href={screenPath(pageRequest, `${path}/-/new`)}>
        {path === 'apps' ? 'New app' : 'New campaign'}
      </a>
    ))}
  >
    A receipt is submitted by an app, for a campaign.
  </Empty>
);

/** Takes the picture of the form, as browsers without script send it. */
export const receivePicture: Screen = async (pageRequest) => {
  const { form, management } = pageRequest;
  const fields = submissionIn(form);
  const file = form.file('file');
  const fault = fileFault(file?.content);
  if (!file || fault !== undefined) {
    return formPage(pageRequest, fields, { ...ACCEPTED, wrong: { file: fault ?? '' }, status: 400 });
  }
  const submitted = await settled(submitPicture(management, fields, { name: file.name, bytes: file.content.length }));
  if (!submitted.ok) return formPage(pageRequest, fields, placed(submitted.failure));
  const { id, uploadUrl } = submitted.value;
  if (uploadUrl !== undefined) await management.put(uploadUrl, file.content);
  return seeOther(recordPath(pageRequest, id));
};

function placed(failure: ManagementFailure): RefusedForm {
  if (failure.status >= 500) throw failure;
  return refusedForm(failure, PLACING);
}

const LABELS: Readonly<Record<string, string>> = { campaign: 'Campaign', app: 'App', customer: 'Customer' };

/** The first fault of a form, which the page's script shows below the file: the field is named. */
function failureText({ wrong }: RefusedForm): string | undefined {
  const [first] = Object.entries(wrong);
  if (!first) return undefined;
  const [name, fault] = first;
  return LABELS[name] === undefined ? fault : `${LABELS[name]}: ${fault}`;
}

/** Submits a picture for the page's script, which gets the link to put it to, or the reason why there is none. */
export const linkPicture: Screen = async ({ form, management }) => {
  const file = { name: form.text('name'), bytes: Number(form.text('bytes')) };
  const submitted = await settled(submitPicture(management, submissionIn(form), file));
  return {
    kind: 'download',
    name: 'upload.json',
    bytes: new TextEncoder().encode(JSON.stringify(uploadOf(submitted))),
  };

  function uploadOf(answer: typeof submitted) {
    if (!answer.ok) return { failure: failureText(placed(answer.failure)) ?? answer.failure.detail };
    const { id, uploadUrl } = answer.value;
    const links = uploadUrl === undefined ? [] : [{ url: uploadUrl }];
    return { key: String(id), uploadId: '', partBytes: Math.max(1, file.bytes), links };
  }
};

/** Leads to the record of an uploaded picture. */
export const submittedPicture: Screen = (pageRequest) =>
  seeOther(recordPath(pageRequest, pageRequest.form.text('key')));
