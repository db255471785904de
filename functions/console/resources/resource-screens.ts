import type { Page, PageRequest } from '../pages/screen.ts';
import { type Resource, storedItem } from './resource.ts';
import {
  changeResource,
  confirmItemDeletion,
  createResource,
  deleteItem,
  type FormState,
  leadToCreated,
  newResourcePage,
  storedState,
} from './resource-form.tsx';
import type { ResourceScreens } from './resource-routes.ts';

/**
 * The screens of a kind of things, apart from its list.
 * @param itemPage the page of one, with the form in this state
 */
export const resourceScreens = <Item extends object>(
  resource: Resource<Item>,
  itemPage: (pageRequest: PageRequest, item: Item, state: FormState) => Page | Promise<Page>,
): Omit<ResourceScreens, 'list'> => ({
  newForm: (pageRequest) => newResourcePage(pageRequest, resource),
  create: (pageRequest) =>
    createResource(pageRequest, resource, {
      answer: resource.answer,
      next: (item) => leadToCreated(pageRequest, resource, resource.idOf(item)),
    }),
  item: async (pageRequest) => {
    const item = await storedItem(pageRequest, resource);
    return itemPage(pageRequest, item, storedState(resource, item));
  },
  change: (pageRequest) => changeResource(pageRequest, resource, (item, state) => itemPage(pageRequest, item, state)),
  confirmDeletion: (pageRequest) => confirmItemDeletion(pageRequest, resource),
  remove: (pageRequest) => deleteItem(pageRequest, resource),
});
