import { lazily as on } from '../pages/lazy-screen.ts';
import type { Screen, Screens } from '../pages/screen.ts';

/** The screens that every kind of things has. */
export interface ResourceScreens {
  readonly list: Screen;
  readonly newForm: Screen;
  readonly create: Screen;
  readonly item: Screen;
  readonly change: Screen;
  readonly confirmDeletion: Screen;
  readonly remove: Screen;
}

type Load = () => Promise<ResourceScreens>;

/** The routes of a kind of things that are never deleted. No id is `-`. */
export const lastingResourceRoutes = (path: string, load: Load): Screens => ({
  [`GET /console/t/{tenant}/${path}`]: on(load, 'list'),
  [`GET /console/t/{tenant}/${path}/-/new`]: on(load, 'newForm'),
  [`POST /console/t/{tenant}/${path}/-/new`]: on(load, 'create'),
  [`GET /console/t/{tenant}/${path}/{id}`]: on(load, 'item'),
  [`POST /console/t/{tenant}/${path}/{id}`]: on(load, 'change'),
});

export const resourceRoutes = (path: string, load: Load): Screens => ({
  ...lastingResourceRoutes(path, load),
  [`GET /console/t/{tenant}/${path}/{id}/delete`]: on(load, 'confirmDeletion'),
  [`POST /console/t/{tenant}/${path}/{id}/delete`]: on(load, 'remove'),
});
