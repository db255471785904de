import { UPLOAD_BYTES_MAX } from '#shared/import/uploads/upload-limits';
import { Submit } from '../components/button.tsx';
import { FileField, fileFault } from '../components/file-field.tsx';
import { PostForm, Select } from '../components/form.tsx';
import { FollowLink, Live } from '../components/live.tsx';
import { Note, PageHead, Problem } from '../components/page-parts.tsx';
import { ManagementFailure, settled } from '../management/management.ts';
import { type Answer, type Page, type PageRequest, page, type Screen, seeOther } from '../pages/screen.ts';
import { mapOf, mappingIn } from './column-mapping.ts';
import { ImportPage } from './import-answers.ts';
import { type ImportKind, kindOf } from './import-kinds.ts';
import { importPath, importsPath, startedPath } from './import-paths.ts';
import { mappingPage } from './mapping-page.tsx';
import { beginUpload, startImport, uploadFile, uploadIn } from './upload.ts';

/** The form for a file. With the page's script it uploads large files in parts, and small ones without. */
export const newImport: Screen = (pageRequest) => uploadPage(pageRequest);

function uploadPage(pageRequest: PageRequest, refused?: { readonly reason: string; readonly status: number }): Page {
  const kind = kindOf(pageRequest);
  const own = (below: string) => importsPath(pageRequest, below);
  return page(
    'Import a file',
    <>
      <PageHead title="Import a file" under={[own(''), kindOf(pageRequest).title]} />
      <PostForm
        class="form card pad"
        action={own('-/new')}
        upload={{ begin: own('-/uploads'), next: own('-/mapping') }}
      >
        {kind.name === 'records' && (
          <Select name="type" label="Type" options={TYPES} value={pageRequest.form.text('type')} />
        )}
        <FileField
          accept={`.csv,.json,.jsonl,.ndjson${kind.name === 'places' ? ',.geojson' : ''},.txt,.gz`}
          hint={<FileHint kind={kind} />}
          error={refused?.reason}
          bytesMax={UPLOAD_BYTES_MAX}
        />
        <div class="row">
          <Submit kind="primary" label="Upload" />
        </div>
      </PostForm>
    </>,
    { status: refused?.status ?? 200 },
  );
}

const TYPES = [
  ['businesses', 'Businesses'],
  ['products', 'Products'],
  ['properties', 'Properties'],
] as const;

function FileHint({ kind }: { readonly kind: ImportKind }) {
  return (
    <>
      CSV with a header, {kind.name === 'places' ? 'GeoJSON, ' : ''}or JSON with one {kind.one} per line; each may be
      compressed with gzip. A row with an existing id replaces that {kind.one}.
    </>
  );
}

/** Takes the file of the form, as browsers without script send it. */
export const receiveFile: Screen = async (pageRequest) => {
  const { form, management } = pageRequest;
  const file = form.file('file');
  const fault = fileFault(file?.content);
  if (!file || fault !== undefined) return uploadPage(pageRequest, { reason: fault ?? '', status: 400 });
  const uploaded = await settled(
    uploadFile(management, kindOf(pageRequest), {
      ...file,
      type: form.text('type'),
    }),
  );
  if (uploaded.ok) return mappingPage(pageRequest, { upload: uploaded.value });
  if (uploaded.failure.status >= 500) throw uploaded.failure;
  return uploadPage(pageRequest, {
    reason: uploaded.failure.detail,
    status: uploaded.failure.status,
  });
};

/** Begins an upload for the page's script, which gets links for its parts or the reason why there are none. */
export const linkParts: Screen = async ({ form, management, ...pageRequest }) => {
  const file = {
    name: form.text('name'),
    bytes: Number(form.text('bytes')),
    type: form.text('type'),
  };
  const begun = await settled(beginUpload(management, kindOf(pageRequest), file));
  const answer = begun.ok ? begun.value : { failure: begun.failure.detail };
  return {
    kind: 'download',
    name: 'upload.json',
    bytes: new TextEncoder().encode(JSON.stringify(answer)),
  };
};

/** The mapping of an uploaded file: at first the suggested one, later that of the form. */
export const mapColumns: Screen = (pageRequest) => {
  const { form } = pageRequest;
  const upload = uploadIn(form);
  return mappingPage(pageRequest, {
    upload,
    ...(form.isChecked('column') && { mapping: mappingIn(form) }),
  });
};

/** Starts the import of an uploaded file. */
export const startUploaded: Screen = async (pageRequest): Promise<Answer> => {
  const { form, management } = pageRequest;
  const upload = uploadIn(form);
  const mapping = mappingIn(form);
  const started = await settled(
    startImport(management, kindOf(pageRequest), {
      upload,
      map: mapOf(mapping),
    }),
  );
  // The first try may have got no answer.
  if (started.ok || started.failure.code === 'upload-gone') return seeOther(startedPath(pageRequest, upload.key));
  if (started.failure.status >= 500) throw started.failure;
  return mappingPage(pageRequest, {
    upload,
    mapping,
    failure: started.failure,
  });
};

/** Waits until the import of an uploaded file is listed, and leads to it. */
export const startedImport: Screen = async (pageRequest) => {
  const key = pageRequest.query.get('key') ?? '';
  if (key === '')
    throw new ManagementFailure({
      status: 404,
      code: 'not-found',
      detail: 'There is no such import.',
    });
  const jobs = await settled(
    pageRequest.management.get(kindOf(pageRequest).apiPath, ImportPage, {
      key,
    }),
  );
  const [job] = jobs.ok ? jobs.value.items : [];
  if (job) return seeOther(importPath(pageRequest, job.id));
  const waiting = {
    isOver: false,
    content: (
      <section class="card pad stack">
        {jobs.ok ? (
          <Note tone="info">The file is complete. Its import starts within seconds.</Note>
        ) : (
          <Problem failure={jobs.failure} />
        )}
        <p class="hint">If it does not start within a minute, upload the file again.</p>
      </section>
    ),
  };
  return page(
    'Starting',
    <>
      <PageHead title="Starting" under={[importsPath(pageRequest), kindOf(pageRequest).title]} />
      <div class="stack">
        <Live name="waiting" part={waiting} />
        <FollowLink isOver={false} />
      </div>
    </>,
    { live: { waiting } },
  );
};
