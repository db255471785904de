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

/** The routes of a kind of things that are never deleted, by the path of their list. No id is `-`. */
export const lastingResourceRoutes = (list: `/console/${string}`, load: Load): Screens => ({
  [`GET ${list}`]: on(load, 'list'),
  [`GET ${list}/-/new`]: on(load, 'newForm'),
  [`POST ${list}/-/new`]: on(load, 'create'),
  [`GET ${list}/{id}`]: on(load, 'item'),
  [`POST ${list}/{id}`]: on(load, 'change'),
});

export const resourceRoutes = (list: `/console/${string}`, load: Load): Screens => ({
  ...lastingResourceRoutes(list, load),
  [`GET ${list}/{id}/delete`]: on(load, 'confirmDeletion'),
  [`POST ${list}/{id}/delete`]: on(load, 'remove'),
});
