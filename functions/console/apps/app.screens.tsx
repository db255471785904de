import { Badge } from '../components/badge.tsx';
import { LinkButton } from '../components/button.tsx';
import type { Column } from '../components/data-table.tsx';
import { OneTimeSecret, SHOWN_ONCE, ShownOnceNote } from '../components/one-time-secret.tsx';
import { Card, Code, Facts, PageHead } from '../components/page-parts.tsx';
import { Time } from '../components/time.tsx';
import { confirmPage } from '../pages/confirm-page.tsx';
import { type Page, type PageRequest, page, type Screen } from '../pages/screen.ts';
import { apiItemPath, itemPath, storedItem } from '../resources/resource.ts';
import { createResource, type FormState, itemPage } from '../resources/resource-form.tsx';
import { resourceList } from '../resources/resource-list.tsx';
import type { ResourceScreens } from '../resources/resource-routes.ts';
import { resourceScreens } from '../resources/resource-screens.ts';
import { type App, AppWithSecret } from './app-answers.ts';
import { APPS } from './app-form.ts';

const own = (pageRequest: PageRequest, id: string) => itemPath(pageRequest, APPS, id);

export const APP_SCREENS: ResourceScreens = {
  ...resourceScreens(APPS, appPage),
  list: (pageRequest) =>
    resourceList(pageRequest, APPS, {
      columns: columnsOf(pageRequest),
      emptyText: 'Create one, and give its API key and secret to whoever develops it.',
    }),
  create: (pageRequest) =>
    createResource(pageRequest, APPS, {
      answer: AppWithSecret,
      next: (app) => secretPage(pageRequest, 'New app', app),
    }),
};

const columnsOf = (pageRequest: PageRequest): readonly Column<App>[] => [
  {
    title: 'App',
    onPhone: 'first',
    cell: ({ id, name }) => (
      <a class="strong" href={own(pageRequest, id)}>
        {name}
      </a>
    ),
  },
  { title: 'State', onPhone: 'second', cell: (app) => <AppState app={app} /> },
  { title: 'API key', class: 'mono', cell: ({ id }) => id },
  { title: 'Created', isRight: true, onPhone: 'gone', cell: ({ createdAt }) => <Time at={createdAt} only="day" /> },
];

function AppState({ app: { placesEnabled, imagesEnabled } }: { readonly app: App }) {
  if (placesEnabled && imagesEnabled) return <Badge tone="ok" icon="check" label="Active" />;
  if (placesEnabled) return <Badge tone="ok" icon="check" label="Places only" />;
  if (imagesEnabled) return <Badge tone="ok" icon="check" label="Images only" />;
  return <Badge tone="plain" icon="pause" label="Disabled" />;
}

/** The page of a new secret, which is not displayed again. */
function secretPage(pageRequest: PageRequest, title: string, { id, name, apiSecret }: AppWithSecret): Page {
  const path = own(pageRequest, id);
  return page(
    title,
    <>
      <PageHead title={title} under={[path, name]} />
      <OneTimeSecret label="API secret" secret={apiSecret} facts={{ 'API key': <code>{id}</code> }} next={path} />
    </>,
    { reloadLeadsTo: `${path}?${SHOWN_ONCE}=1` },
  );
}

function appPage(pageRequest: PageRequest, app: App, state: FormState): Page {
  return itemPage(pageRequest, APPS, app, {
    state,
    lead: <AppState app={app} />,
    above: (
      <ShownOnceNote query={pageRequest.query}>
        If you haven't copied it, replace the secret on this page.
      </ShownOnceNote>
    ),
    beside: (
      <Card title="API key and secret">
        <Code id="api-key" text={app.id} label="API key" />
        <Facts facts={{ Created: <Time at={app.createdAt} /> }} />
        <div>
          <LinkButton label="Replace secret…" href={`${own(pageRequest, app.id)}/secret`} />
        </div>
      </Card>
    ),
  });
}

export const confirmSecretReplacement: Screen = async (pageRequest) => {
  const { id, name } = await storedItem(pageRequest, APPS);
  const back = own(pageRequest, id);
  return confirmPage({
    title: `Replace the secret of ${name}?`,
    under: [back, name],
    text: "The old secret is refused within ten seconds. The new one is shown once, on the next page. This can't be undone.",
    action: `${back}/secret`,
    label: 'Replace the secret',
  });
};

export const replaceSecret: Screen = async (pageRequest) => {
  const path = `${apiItemPath(APPS, pageRequest.path['id'])}/secret`;
  const app = await pageRequest.management.send({ method: 'POST', path }, AppWithSecret);
  return secretPage(pageRequest, 'New secret', app);
};
