import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { curlSample } from '#shared/client/curl-sample';
import { callOf, needsOperator } from '../management/form-calls.ts';
import { Code } from './page-parts.tsx';
import { useTenantPath } from './view.ts';

/** A form of the page, and the body that states the same in the API. */
export interface PageForm {
  readonly action: string;
  /** @default an example */
  readonly body?: unknown;
}

/** The forms of a page that its person may submit. They register themselves while the page is rendered. */
export const PageFormsContext = createContext<PageForm[] | undefined>(undefined);

/** The calls of the API that do what the forms of the page do. */
export function ApiCalls() {
  const calls = new Map((useContext(PageFormsContext) ?? []).flatMap(callIn));
  if (calls.size === 0) return null;
  return (
    <details class="api-calls">
      <summary>Do this by API</summary>
      <TokenHint isForOperators={[...calls.values()].some(needsOperator)} />
      {[...calls].map(([command, { operation, summary }], index) => (
        <section key={command} class="stack-s">
          <p>
            {summary}: <a href={`/docs/management#${operation}`}>{operation}</a>
          </p>
          <Code id={`api-call-${index}`} text={command} label={`curl command ${index + 1}`} />
        </section>
      ))}
    </details>
  );
}

/** The command that does what a form does; none for a form that no operation stands for. */
function callIn({ action, body }: PageForm) {
  const call = callOf(action);
  if (!call) return [];
  const { method, path } = call;
  const sent = body ?? call.body;
  const command = curlSample({
    method,
    path: `/manage/v1/${path}`,
    credential: 'bearer',
    ...(sent !== undefined && { body: sent }),
  });
  return [[command, call] as const];
}

function TokenHint({ isForOperators }: { readonly isForOperators: boolean }) {
  const path = useTenantPath();
  return isForOperators ? (
    <p>
      API_URL is the address of this service, TOKEN the token of an operator.{' '}
      <a href="/docs/management#guide">How to get one</a>
    </p>
  ) : (
    <p>
      API_URL is the address of this service, TOKEN a management key with the scope Manage.{' '}
      <a href={path('keys/management-keys')}>Create a management key</a>
    </p>
  );
}
