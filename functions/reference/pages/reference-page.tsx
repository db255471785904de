import type { ComponentChildren } from 'preact';
import { curlSample, type SampleRequest } from '#shared/client/curl-sample';
import type { Guide } from '../guides/guides.ts';
import { PROBLEM_CODES } from '../problems/problem-codes.ts';

import { anchorOf, type DocumentView, type OperationView, type SchemaView } from './document-view.ts';
import { GuideSections } from './guide.tsx';
import { type Link, Prose, pageText } from './layout.tsx';
import { Field, SchemaFields } from './schema.tsx';

interface ReferenceProps {
  readonly document: DocumentView;
  /** The path of the document itself. */
  readonly path: string;
  readonly guide: Guide;
  readonly links: readonly Link[];
}

interface RoutedOperation extends OperationView {
  readonly method: string;
  /** Absent for an event, which the service sends to an address of its receiver. */
  readonly path?: string;
}

/** The page of one interface: each operation with its input, its answers, its errors and a request to copy. */
export function referencePage({ document, path, guide, links }: ReferenceProps): string {
  const { info, tags, components } = document;
  const { credential } = guide.first;
  const operations = [
    ...Object.entries(document.paths).flatMap(([route, methods]) =>
      Object.entries(methods).map(([method, operation]): RoutedOperation => ({ ...operation, method, path: route })),
    ),
    ...Object.values(document.webhooks ?? {}).flatMap((methods): RoutedOperation[] =>
      Object.entries(methods).map(([method, operation]) => ({ ...operation, method })),
    ),
  ];
  const ofTag = (tag: string) => operations.filter((operation) => operation.tags.includes(tag));
  return pageText({
    title: `${info.title} reference`,
    links,
    contents: <Contents tags={tags.map(({ name }) => ({ name, operations: ofTag(name) }))} />,
    children: (
      <>
        <h1>{info.title}</h1>
        <Prose text={info.description} />
        <p>
          The OpenAPI 3.1 document is at <a href={path}>{path}</a>. Each code of an error has{' '}
          <a href="/docs/problems">a page</a>.
        </p>
        <GuideSections guide={guide} />
        {tags.map(({ name, description }) => (
          <section key={name}>
            <h2 id={anchorOf(name)}>{name}</h2>
            <Prose text={description} />
            {ofTag(name).map((operation) => (
              <Operation
                key={operation.operationId}
                operation={operation}
                credential={credential}
                schemas={components.schemas}
              />
            ))}
          </section>
        ))}
        <section>
          <h2 id="schemas">Schemas</h2>
          {Object.entries(components.schemas).map(([name, schema]) => (
            <Schema key={name} name={name} schema={schema} />
          ))}
        </section>
      </>
    ),
  });
}

function Contents({ tags }: { readonly tags: readonly { name: string; operations: readonly RoutedOperation[] }[] }) {
  return (
    <>
      <h2>
        <a href="#guide">Guide</a>
      </h2>
      {tags.map(({ name, operations }) => (
        <section key={name}>
          <h2>
            <a href={`#${anchorOf(name)}`}>{name}</a>
          </h2>
          <ul>
            {operations.map(({ operationId, summary }) => (
              <li key={operationId}>
                <a href={`#${operationId}`}>{summary}</a>
              </li>
            ))}
          </ul>
        </section>
      ))}
      <h2>
        <a href="#schemas">Schemas</a>
      </h2>
    </>
  );
}

interface OperationProps {
  readonly operation: RoutedOperation;
  readonly credential: SampleRequest['credential'];
  readonly schemas: Schemas;
}

type Schemas = DocumentView['components']['schemas'];

function Operation({ operation, credential, schemas }: OperationProps) {
  const { operationId, summary, description, method, path, parameters, requestBody, responses } = operation;
  const [body] = Object.values(requestBody?.content ?? {});
  return (
    <article>
      <h3 id={operationId}>{summary}</h3>
      <div class="route">
        <span class={`method ${method}`}>{method.toUpperCase()}</span>
        <span>{path ?? 'the target URL of the API configuration'}</span>
      </div>
      {description !== undefined && description !== `${summary}.` && <Prose text={description} />}
      {path !== undefined && (
        <pre>
          <code>{curlSample(sampleOf({ ...operation, path }, credential))}</code>
        </pre>
      )}
      {parameters.length > 0 && (
        <>
          <h4>Parameters</h4>
          <table class="fields">
            <tbody>
              {parameters.map(({ name, schema, required = false, description: said, in: place }) => (
                <Field key={`${place} ${name}`} name={name} schema={schema} isRequired={required} description={said} />
              ))}
            </tbody>
          </table>
        </>
      )}
      {body && (
        <>
          <h4>Body</h4>
          <SchemaFields schema={namedSchema(body.schema, schemas)} />
        </>
      )}
      <Responses responses={responses} />
    </article>
  );
}

/** The answers, and the errors folded: they are much alike. */
function Responses({ responses }: Pick<OperationView, 'responses'>) {
  const answers = Object.entries(responses).filter(([status]) => Number(status) < 400);
  const errors = Object.entries(responses).filter(([status]) => Number(status) >= 400);
  return (
    <>
      <h4>Answers</h4>
      <table class="fields">
        <tbody>
          {answers.map(([status, { description: said, content = {} }]) => (
            <StatusRow key={status} status={status}>
              {said}
              {Object.values(content).map(({ schema }) => (
                <SchemaFields key={status} schema={schema} />
              ))}
            </StatusRow>
          ))}
        </tbody>
      </table>
      {errors.length > 0 && (
        <details>
          <summary>Errors</summary>
          <table class="fields">
            <tbody>
              {errors.map(([status, { description: said }]) => (
                <StatusRow key={status} status={status}>
                  <Codes text={said} />
                </StatusRow>
              ))}
            </tbody>
          </table>
        </details>
      )}
    </>
  );
}

interface StatusRowProps {
  readonly status: string;
  readonly children: ComponentChildren;
}

const StatusRow = ({ status, children }: StatusRowProps) => (
  <tr>
    <th scope="row">
      <code>{status}</code>
    </th>
    <td>{children}</td>
  </tr>
);

/** The schema itself in place of a reference to it. */
const namedSchema = (schema: SchemaView, schemas: Schemas): SchemaView =>
  schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? schema;

function sampleOf(
  { method, path, requestBody, security }: RoutedOperation & { readonly path: string },
  credential: SampleRequest['credential'],
) {
  const body = requestBody?.content['application/json']?.example;
  return {
    method: method.toUpperCase(),
    path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`),
    credential: security?.length === 0 ? ('none' as const) : credential,
    ...(body !== undefined && { body }),
  };
}

/** The codes of an error, each with its page. */
function Codes({ text }: { readonly text: string }) {
  const codes = /^Codes: (.*)\.$/.exec(text)?.[1]?.split(', ');
  if (!codes) return <>{text}</>;
  return (
    <>
      {codes.map((code, index) => (
        <span key={code}>
          {index > 0 && ', '}
          {Object.hasOwn(PROBLEM_CODES, code) ? <a href={`/docs/problems/${code}`}>{code}</a> : <code>{code}</code>}
        </span>
      ))}
    </>
  );
}

function Schema({ name, schema }: { readonly name: string; readonly schema: SchemaView }) {
  return (
    <article>
      <h3 id={`schema-${name}`}>{name}</h3>
      {schema.description !== undefined && <Prose text={schema.description} />}
      <SchemaFields schema={schema} />
    </article>
  );
}
